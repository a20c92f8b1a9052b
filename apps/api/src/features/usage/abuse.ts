import type { Context, Db } from '../../context.ts'
import { networkOf, readAddress } from '../../lib/addresses.ts'
import { grouped } from '../../lib/grouped.ts'
import { type Detail, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { currentSettings } from '../settings/settings.ts'
import * as store from './abuse.store.ts'

/** Nodes report every ten seconds; what was not seen for this long is not in use now. */
const inUse = 30_000
const samplesApart = 9_000
const samplesWithin = 5 * 60_000
const samplesNeeded = 3
/** So many times what is allowed, at once, need no second look. */
const muchTooMany = 2

export interface OnlineAccount {
  readonly id: string
  readonly devices: readonly { readonly address: string; readonly seenAt: Date }[]
}

type Deed = Detail & { accountUUID: string }
type Span = Pick<store.DeviceInUse, 'first_seen_at' | 'last_seen_at'>

/**
 * The most that were in use at one moment. A phone that changes its address leaves the old one before it takes the new one
 * up: the two never overlap, however close they are.
 */
export function atOnce(spans: readonly Span[]): number {
  const inOrder = (times: Date[]) => times.map(Number).sort((a, b) => a - b)
  const begins = inOrder(spans.map(({ first_seen_at }) => first_seen_at))
  const ends = inOrder(spans.map(({ last_seen_at }) => last_seen_at))
  let over = 0
  let most = 0
  for (const [begun, moment] of begins.entries()) {
    while ((ends[over] ?? moment) < moment) over += 1
    most = Math.max(most, begun + 1 - over)
  }
  return most
}

/** Stops accounts that are in use on more devices than allowed, at once and not just once. Call it last: it may write to the audit log. */
export async function lookForAbuse(ctx: Context, tx: Db, online: readonly OnlineAccount[]): Promise<void> {
  const now = ctx.clock.now()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const seen = devicesOf(online)
  if (seen.length === 0) return
  await store.noteDevices(tx, seen)
  const { maxDevices } = await currentSettings(tx)
  const ids = online.map(({ id }) => id)
  const crowded = grouped(
    await store.manyDevices(tx, ids, ago(inUse), maxDevices),
    ({ account_uuid }) => account_uuid,
  )
  const deeds: Deed[] = []
  for (const [id, spans] of crowded) {
    const sample = { at: now, devices: atOnce(spans) }
    if (sample.devices <= maxDevices) continue
    await store.noteCrowd(tx, id, sample, samplesApart)
    const samples = await store.crowdsOf(tx, id, ago(samplesWithin))
    if (samples.length >= samplesNeeded || sample.devices > muchTooMany * maxDevices)
      deeds.push(...(await stop(ctx, tx, id, sample, maxDevices, samples)))
  }
  // The audit log comes last: whoever holds its lock takes no other.
  for (const { accountUUID, ...detail } of deeds)
    await record(ctx, tx, { email: 'abuse rule', address: '' }, 'stopforabuse', accountUUID, detail)
}

/** Each network once, as it was last seen: whoever has an IPv6 address has 2^64 of them. */
function devicesOf(online: readonly OnlineAccount[]): store.SeenDevice[] {
  const found = new Map<string, store.SeenDevice>()
  for (const { id, devices } of online)
    for (const { address, seenAt } of devices) {
      const network = networkOf(readAddress(address) ?? address)
      const known = found.get(`${id} ${network}`)
      if (!known || known.at < seenAt) found.set(`${id} ${network}`, { id, network, at: seenAt })
    }
  return [...found.values()].sort((a, b) => (a.id + a.network < b.id + b.network ? -1 : 1))
}

async function stop(
  ctx: Context,
  tx: Db,
  accountUUID: string,
  sample: store.Sample,
  allowed: number,
  samples: readonly store.Sample[],
): Promise<Deed[]> {
  const stopped = await store.stopAccount(tx, accountUUID, sample)
  if (!stopped) return []
  await store.insertFinding(tx, accountUUID, sample, allowed, samples)
  await announce(ctx, tx, stopped.user_id, [{ type: 'account', accountUUID }])
  const { devices } = sample
  const whose = { account: stopped.name, userEmail: stopped.email }
  return [{ accountUUID, from: 'active', to: 'abused', devices, allowed, ...whose }]
}

/** Whoever is let in again begins anew. */
export const forgetDevicesOf = (tx: Db, accountUUID: string): Promise<void> =>
  store.forgetDevicesOf(tx, accountUUID)
