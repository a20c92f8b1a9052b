import type { Context, Db } from '../../context.ts'
import type { RefusedDevices } from '../../db/schema.ts'
import { groupBy } from '../../lib/grouped.ts'
import { type Detail, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './abuse.store.ts'
import { openLimit } from './abuse-limits.ts'
import { deviceAt } from './devices.ts'
import { type Device, lastMinuteOf } from './movement.ts'
import { devicesAtOnce, judge } from './overlap.ts'

const refusedFor = 10 * 60_000
/** The longest time that one overlap is followed. */
export const followedFor = 3 * 60 * 60_000

export interface MovedAddress {
  readonly address: string
  /** A bit for each slice of the minute in which it moved bytes. */
  readonly slices: number
}

type Stop = Detail & { accountUUID: string }

/** Accounts that stay as they are, by the hosts whose limits are used up. */
export type HeldBack = ReadonlyMap<string, number>

/**
 * Judges a minute of everybody who connects to this host, over all ways of their accounts. Devices beyond an account's
 * limit are refused first; the account is stopped when the overlap goes on for an hour nevertheless. It is a transaction
 * of its own, because it locks accounts before devices, and reports of other hosts lock their devices meanwhile.
 */
export const judgeMinute = (
  ctx: Context,
  entrance: store.Entrance,
  moved: readonly MovedAddress[],
  until: Date,
): Promise<HeldBack> =>
  ctx.atomically(async (tx) => {
    const slices = slicesByNetwork(moved)
    await store.noteMovements(tx, entrance, slices, until)
    const { maxDevices } = await currentSettings(tx)
    const candidates = await store.lockCandidates(tx, entrance, [...slices.keys()], until, maxDevices)
    const heldBack = new Map<string, number>()
    if (candidates.length === 0) return heldBack
    await store.lockFindings(tx)
    const limits = { refuse: limitsOf(tx, 'refuse', until), stop: limitsOf(tx, 'stop', until) }
    const ids = candidates.map(({ uuid }) => uuid)
    const movements = groupBy(
      await store.movementsOf(tx, ids, entrance, slices, until),
      ({ account_uuid }) => account_uuid,
    )
    const stops: Stop[] = []
    for (const account of candidates) {
      const { at, devices } = lastMinuteOf(movements.get(account.uuid) ?? [], until)
      const count = devicesAtOnce(devices.map((device) => device.slices))
      if (count <= account.allowed || !(await store.addCrowd(tx, account.uuid, at, count))) continue
      const crowds = await store.crowdsOf(tx, account.uuid, new Date(at.getTime() - followedFor))
      const verdict = judge(crowds.map((crowd) => crowd.at))
      if (!verdict || verdict.answer === 'none') continue
      const { answer, since, minutes } = verdict
      const witnesses = witnessesOf(devices)
      const hosts = [...new Set(witnesses.flatMap((one) => [one.entrance_uuid, one.server_uuid]))]
      const exhausted = await limits[answer](account, hosts)
      for (const uuid of exhausted) heldBack.set(uuid, (heldBack.get(uuid) ?? 0) + 1)
      // A stop that has to wait is a refusal meanwhile.
      const isRefusal = answer === 'refuse' || exhausted.length > 0
      if (exhausted.length > 0 && (answer === 'refuse' || (await limits.refuse(account, hosts)).length > 0))
        continue
      const evidence = { at, devices: count, since, minutes }
      await store.insertFinding(tx, isRefusal ? 'refuse' : 'stop', account, witnesses, evidence, crowds)
      if (isRefusal) await refuse(ctx, tx, account, devices, evidence, until)
      else stops.push(...(await stop(ctx, tx, account, evidence)))
    }
    await recordStops(ctx, tx, stops)
    return heldBack
  })

function slicesByNetwork(moved: readonly MovedAddress[]): ReadonlyMap<string, number> {
  const slices = new Map<string, number>()
  for (const { address, slices: own } of moved) {
    const network = deviceAt(address)
    slices.set(network, (slices.get(network) ?? 0) | own)
  }
  return slices
}

const witnessesOf = (devices: readonly Device[]): store.Witness[] => [
  ...new Map(
    devices
      .flatMap(({ movements }) => movements)
      .map(({ server_uuid, entrance_uuid }) => [
        `${server_uuid} ${entrance_uuid}`,
        { server_uuid, entrance_uuid },
      ]),
  ).values(),
]

/**
 * Returns the hosts whose limit is used up, if any. It counts against all that reported something, because each may
 * invent what the others confirm.
 */
function limitsOf(tx: Db, act: store.Act, now: Date) {
  const opened = new Map<string, Awaited<ReturnType<typeof openLimit>>>()
  return async ({ uuid: id }: store.Candidate, hosts: readonly string[]): Promise<string[]> => {
    for (const uuid of hosts) opened.set(uuid, opened.get(uuid) ?? (await openLimit(tx, uuid, act, now)))
    const exhausted = hosts.filter((uuid) => !opened.get(uuid)?.mayTake(id))
    if (exhausted.length === 0) for (const uuid of hosts) opened.get(uuid)?.take(id)
    return exhausted
  }
}

/** The devices that came last are refused. */
async function refuse(
  ctx: Context,
  tx: Db,
  { uuid: accountUUID, allowed }: store.Candidate,
  devices: readonly Device[],
  { devices: count, since }: store.Evidence,
  now: Date,
): Promise<void> {
  const extra = devices.slice(allowed - count).map(({ network }) => network)
  const refusal: RefusedDevices = {
    ...{ refused: extra.length, devices: count, allowed, sinceDate: since.toISOString() },
    untilDate: new Date(now.getTime() + refusedFor).toISOString(),
  }
  const account = await store.refuseDevices(tx, accountUUID, extra, refusal)
  if (account) await announce(ctx, tx, account.user_id, [{ type: 'account', accountUUID }])
}

async function stop(
  ctx: Context,
  tx: Db,
  { uuid: accountUUID, allowed }: store.Candidate,
  evidence: store.Evidence,
): Promise<Stop[]> {
  const account = await store.stopAccount(tx, accountUUID, evidence)
  if (!account) return []
  await announce(ctx, tx, account.user_id, [{ type: 'account', accountUUID }])
  const { devices, minutes } = evidence
  const auditNames = { account: account.name, userEmail: account.email }
  return [{ accountUUID, from: 'active', to: 'abused', devices, allowed, minutes, ...auditNames }]
}

/** Call it last: the audit log's lock is the last one in the lock order. */
async function recordStops(ctx: Context, tx: Db, stops: readonly Stop[]): Promise<void> {
  for (const { accountUUID, ...detail } of stops)
    await record(ctx, tx, { email: 'abuse rule', address: '' }, 'stopforabuse', accountUUID, detail)
}
