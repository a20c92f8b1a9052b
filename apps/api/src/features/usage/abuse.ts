import { movesThroughout } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { RefusedDevices } from '../../db/schema.ts'
import { groupBy } from '../../lib/grouped.ts'
import { type Detail, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './abuse.store.ts'
import { openLimit } from './abuse-limits.ts'
import { deviceAt } from './devices.ts'
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

export interface Findings {
  readonly stops: readonly Stop[]
  readonly heldBack: number
}

/**
 * Judges the minute before `until` for everybody who connects to this host. Devices beyond an account's limit are refused
 * first; the account is stopped when the overlap goes on for an hour nevertheless. The caller records the stops.
 */
export async function judgeMinute(
  ctx: Context,
  tx: Db,
  entrance: store.Entrance,
  moved: readonly MovedAddress[],
  until: Date,
): Promise<Findings> {
  const slices = new Map<string, number>()
  for (const { address, slices: own } of moved) {
    const network = deviceAt(address)
    slices.set(network, (slices.get(network) ?? 0) | own)
  }
  const limits = {
    refuse: limitsOf(tx, entrance, 'refuse', until),
    stop: limitsOf(tx, entrance, 'stop', until),
  }
  const { maxDevices } = await currentSettings(tx)
  const moving = await store.movingDevices(tx, entrance, [...slices.keys()], until, maxDevices)
  const stops: Stop[] = []
  let heldBack = 0
  for (const [id, devices] of groupBy(moving, ({ account_uuid }) => account_uuid)) {
    const slicesOf = ({ network }: store.MovingDevice) => slices.get(network) ?? 0
    const lasting = devices.filter((device) => movesThroughout(slicesOf(device)))
    const count = devicesAtOnce(lasting.map(slicesOf))
    const [device] = lasting
    if (!device || count <= device.allowed || !(await store.addCrowd(tx, id, until, count))) continue
    const crowds = await store.crowdsOf(tx, id, new Date(until.getTime() - followedFor))
    const verdict = judge(crowds.map(({ at }) => at))
    if (!verdict || verdict.answer === 'none') continue
    const { answer, since, minutes } = verdict
    const isAllowed = await limits[answer](device)
    if (!isAllowed) heldBack += 1
    // A stop that has to wait is a refusal meanwhile.
    const isRefusal = answer === 'refuse' ? isAllowed : !isAllowed && (await limits.refuse(device))
    if (!isAllowed && !isRefusal) continue
    const evidence = { at: until, devices: count, since, minutes }
    await store.insertFinding(tx, isRefusal ? 'refuse' : 'stop', device, entrance, evidence, crowds)
    if (!isRefusal) stops.push(...(await stop(ctx, tx, device, evidence)))
    else await refuse(ctx, tx, lasting, evidence)
  }
  return { stops, heldBack }
}

/** Counts against the server and against the entrance, because either may invent what the other confirms. */
function limitsOf(tx: Db, entrance: store.Entrance, act: store.Act, now: Date) {
  const opened = new Map<string, Awaited<ReturnType<typeof openLimit>>>()
  return async ({ account_uuid: id, server_uuid }: store.MovingDevice): Promise<boolean> => {
    const limits = []
    for (const uuid of new Set([entrance.uuid, server_uuid])) {
      const limit = opened.get(uuid) ?? (await openLimit(tx, uuid, act, now))
      opened.set(uuid, limit)
      limits.push(limit)
    }
    if (!limits.every((limit) => limit.mayTake(id))) return false
    for (const limit of limits) limit.take(id)
    return true
  }
}

/** The devices that came last are refused. */
async function refuse(
  ctx: Context,
  tx: Db,
  devices: readonly store.MovingDevice[],
  { at, devices: count, since }: store.Evidence,
): Promise<void> {
  const { account_uuid: accountUUID = '', allowed = 0 } = devices[0] ?? {}
  const extra = devices.slice(allowed - count).map(({ network }) => network)
  const refusal: RefusedDevices = {
    ...{ refused: extra.length, devices: count, allowed, sinceDate: since.toISOString() },
    untilDate: new Date(at.getTime() + refusedFor).toISOString(),
  }
  const account = await store.refuseDevices(tx, accountUUID, extra, refusal)
  if (account) await announce(ctx, tx, account.user_id, [{ type: 'account', accountUUID }])
}

async function stop(
  ctx: Context,
  tx: Db,
  { account_uuid: accountUUID, allowed }: store.MovingDevice,
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
export async function recordStops(ctx: Context, tx: Db, stops: readonly Stop[]): Promise<void> {
  for (const { accountUUID, ...detail } of stops)
    await record(ctx, tx, { email: 'abuse rule', address: '' }, 'stopforabuse', accountUUID, detail)
}
