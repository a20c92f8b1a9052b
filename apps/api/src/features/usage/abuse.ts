import { day } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { networkOf, readAddress } from '../../lib/addresses.ts'
import { groupBy } from '../../lib/grouped.ts'
import { type Detail, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './abuse.store.ts'

/** Nodes report every ten seconds; a device not seen for this long is not in use. */
const inUse = 30_000
const samplesApart = 9_000
const samplesWithin = 5 * 60_000
const samplesNeeded = 3
/** This many times the limit at once needs no second sample. */
const immediateStopFactor = 2
const maxNetworks = 32
const networksPerDevice = 4
const keepDevices = 10 * 60_000

/**
 * A host may stop at most this share of its accounts in ten minutes, at least two and at most ten, and five times as
 * many in a day. Beyond that its reports are probably false.
 */
const stopsShare = 0.05
const stopsMin = 2
const stopsMax = 10
const stopsWithin = 10 * 60_000
const stopsTimesADay = 5

export const stopsAllowed = (accounts: number): number =>
  Math.min(stopsMax, Math.max(stopsMin, Math.floor(accounts * stopsShare)))

export interface OnlineAccount {
  readonly id: string
  readonly devices: readonly { readonly address: string; readonly seenAt: Date }[]
}

type Stop = Detail & { accountUUID: string }
type Span = Pick<store.DeviceInUse, 'first_seen_at' | 'last_seen_at'>

/** A phone that changes its address leaves the old one first, so the two do not overlap. */
export function atOnce(spans: readonly Span[]): number {
  const inOrder = (times: Date[]) => times.map(Number).sort((a, b) => a - b)
  const begins = inOrder(spans.map(({ first_seen_at }) => first_seen_at))
  const ends = inOrder(spans.map(({ last_seen_at }) => last_seen_at))
  let ended = 0
  let most = 0
  for (const [begun, moment] of begins.entries()) {
    while ((ends[ended] ?? moment) < moment) ended += 1
    most = Math.max(most, begun + 1 - ended)
  }
  return most
}

export interface Findings {
  readonly stops: readonly Stop[]
  readonly heldBack: number
  /** Devices ignored because the host must have invented them. */
  readonly inventedDevices: number
}

/** Stops accounts that are repeatedly in use on more devices than allowed. The caller records the stops. */
export async function detectAbuse(
  ctx: Context,
  tx: Db,
  hostUUID: string,
  online: readonly OnlineAccount[],
): Promise<Findings> {
  const now = ctx.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const reported = devicesOf(online)
  if (reported.length === 0) return { stops: [], heldBack: 0, inventedDevices: 0 }
  const { maxDevices } = await currentSettings(tx)
  const most = Math.max(maxNetworks, networksPerDevice * maxDevices)
  const accepted = await withinLimit(tx, reported, most, ago(keepDevices))
  if (accepted.length > 0) await store.noteDevices(tx, accepted)
  const ids = online.map(({ id }) => id)
  const sightingsByAccount = groupBy(
    await store.devicesAboveLimit(tx, ids, ago(inUse), maxDevices),
    ({ account_uuid }) => account_uuid,
  )
  const due: { id: string; sample: store.Sample; samples: store.Sample[] }[] = []
  for (const [id, spans] of sightingsByAccount) {
    const sample = { at: now, devices: atOnce(spans) }
    if (sample.devices <= maxDevices) continue
    await store.addSample(tx, id, sample, samplesApart)
    const samples = await store.crowdsOf(tx, id, ago(samplesWithin))
    if (samples.length >= samplesNeeded || sample.devices > immediateStopFactor * maxDevices)
      due.push({ id, sample, samples })
  }
  const room = due.length > 0 ? await stopsLeft(tx, hostUUID, ago(stopsWithin), ago(day)) : 0
  const stops: Stop[] = []
  for (const { id, sample, samples } of due.slice(0, room))
    stops.push(...(await stop(ctx, tx, hostUUID, id, sample, maxDevices, samples)))
  return {
    stops,
    heldBack: Math.max(0, due.length - room),
    inventedDevices: await madeUp(tx, hostUUID, reported, accepted, now),
  }
}

/** Call it last: the audit log's lock is the last one in the lock order. */
export async function recordStops(ctx: Context, tx: Db, stops: readonly Stop[]): Promise<void> {
  for (const { accountUUID, ...detail } of stops)
    await record(ctx, tx, { email: 'abuse rule', address: '' }, 'stopforabuse', accountUUID, detail)
}

async function stopsLeft(tx: Db, hostUUID: string, since: Date, sinceDay: Date): Promise<number> {
  const { accounts, recent, today } = await store.countStops(tx, hostUUID, since, sinceDay)
  const allowed = stopsAllowed(accounts)
  return Math.max(0, Math.min(allowed - recent, stopsTimesADay * allowed - today))
}

/** A widely shared link has that many devices too, so a few such accounts are no reason to distrust the host. */
async function madeUp(
  tx: Db,
  hostUUID: string,
  reported: readonly store.DeviceSighting[],
  accepted: readonly store.DeviceSighting[],
  now: Date,
): Promise<number> {
  const isNoted = new Set(accepted)
  const dropped = reported.filter((device) => !isNoted.has(device))
  if (dropped.length === 0) return 0
  const { accounts } = await store.countStops(tx, hostUUID, now, now)
  return new Set(dropped.map(({ id }) => id)).size > stopsAllowed(accounts) ? dropped.length : 0
}

async function withinLimit(
  tx: Db,
  reported: readonly store.DeviceSighting[],
  most: number,
  since: Date,
): Promise<readonly store.DeviceSighting[]> {
  const byAccount = groupBy(reported, ({ id }) => id)
  const networkCounts = await store.countNetworks(tx, [...byAccount.keys()])
  const many = [...byAccount].filter(([id, devices]) => (networkCounts.get(id) ?? 0) + devices.length > most)
  if (many.length === 0) return reported
  const ids = many.map(([id]) => id)
  await store.forgetDevicesOf(tx, ids, since)
  const storedNetworks = groupBy(await store.networksOf(tx, ids), ({ account_uuid }) => account_uuid)
  const newNetworks = new Map<string, Set<string>>()
  for (const id of ids) newNetworks.set(id, new Set(storedNetworks.get(id)?.map(({ network }) => network)))
  return reported.filter(({ id, network }) => {
    const networks = newNetworks.get(id)
    if (!networks || networks.has(network)) return true
    return networks.size < most && networks.add(network)
  })
}

/** Counts networks, because a user with one IPv6 address has 2^64 of them. */
function devicesOf(online: readonly OnlineAccount[]): store.DeviceSighting[] {
  const latestByNetwork = new Map<string, store.DeviceSighting>()
  for (const { id, devices } of online)
    for (const { address, seenAt } of devices) {
      const network = networkOf(readAddress(address) ?? address)
      const latest = latestByNetwork.get(`${id} ${network}`)
      if (!latest || latest.at < seenAt) latestByNetwork.set(`${id} ${network}`, { id, network, at: seenAt })
    }
  return [...latestByNetwork.values()].sort((a, b) => (a.id + a.network < b.id + b.network ? -1 : 1))
}

async function stop(
  ctx: Context,
  tx: Db,
  hostUUID: string,
  accountUUID: string,
  sample: store.Sample,
  allowed: number,
  samples: readonly store.Sample[],
): Promise<Stop[]> {
  const stoppedAccount = await store.stopAccount(tx, accountUUID, sample)
  if (!stoppedAccount) return []
  await store.insertFinding(tx, hostUUID, accountUUID, sample, allowed, samples)
  await announce(ctx, tx, stoppedAccount.user_id, [{ type: 'account', accountUUID }])
  const { devices } = sample
  const auditNames = { account: stoppedAccount.name, userEmail: stoppedAccount.email }
  return [{ accountUUID, from: 'active', to: 'abused', devices, allowed, ...auditNames }]
}

export const forgetDevicesOf = (tx: Db, accountUUIDs: readonly string[]): Promise<void> =>
  store.forgetDevicesOf(tx, accountUUIDs)
