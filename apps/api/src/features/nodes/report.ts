import { type Input, Refusal, type report } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { readAddress } from '../../lib/addresses.ts'
import { grouped } from '../../lib/grouped.ts'
import { announceAccounts, announceAccountsOf } from '../events/events.ts'
import { announceHost } from '../hosts/kinds.ts'
import { countUsage, lookForAbuse, noteSeen, type OnlineAccount, recordStops } from '../usage/usage.ts'
import { type Alert, purgeAlerts, raiseAlerts } from './alerts.ts'
import { readEpoch } from './nodes.store.ts'
import type { Node } from './nodes.ts'
import * as store from './report.store.ts'

type Report = Input<typeof report>

/** Not addresses of customers. */
const nobodys = ['127.0.0.1', '::1', '0.0.0.0', '::']
/** Older sightings say nothing about who is connected now. */
const oldestSeen = 5 * 60_000

/** One transaction: a node without an answer sends the report again, and nothing counts twice. */
export async function takeReport(
  ctx: Context,
  node: Node,
  said: Report,
): Promise<{ epoch: string; now: string }> {
  const answer = await ctx.atomically((tx) => take(ctx, tx, node, said))
  // Thrown outside the transaction, so that only the alert is kept.
  if (!answer) throw new Refusal('FOREIGN_REPORT')
  return answer
}

/** undefined if the node reports another host's accounts. */
async function take(ctx: Context, tx: Db, node: Node, said: Report) {
  const now = ctx.clock.now()
  const before = await store.lockState(tx, stateOf(node, said, now))
  if (before ? before.refused_list !== said.refusedList : said.refusedList !== '')
    await announceHost(ctx, tx, node, node.state)
  const epoch = await readEpoch(tx)
  const { own, mayCount, foreign } = await tellApart(tx, node, said)
  const alerts: Alert[] = []
  if (foreign.length > 0 && !(await mayHoldOldList(tx, node, said, epoch))) {
    alerts.push({ alert: 'foreign', count: foreign.length, account: foreign[0] ?? '' })
    const audit = await raiseAlerts(ctx, tx, node, alerts)
    await audit()
    return undefined
  }
  if (said.epoch === epoch) await takeApplied(ctx, tx, node, said)
  if (said.core.bootId !== '') {
    const source = { hostUUID: node.uuid, bootId: said.core.bootId }
    const counters = largest(said.usage.filter(({ id }) => mayCount.has(id)))
    if (!(await countUsage(tx, source, counters, now))) alerts.push({ alert: 'boots', count: 1 })
  }
  await takeGone(tx, node, said.gone, now)
  const online = onlineOf(said, now).filter(({ id }) => own.has(id))
  await noteSeen(tx, lastSeen(online))
  const { stops, heldBack, madeUpDevices } = await lookForAbuse(ctx, tx, node.uuid, online)
  if (heldBack > 0) alerts.push({ alert: 'abuse', count: heldBack })
  if (madeUpDevices > 0) alerts.push({ alert: 'devices', count: madeUpDevices })
  const audit = await raiseAlerts(ctx, tx, node, alerts)
  await recordStops(ctx, tx, stops)
  await audit()
  return { epoch, now: now.toISOString() }
}

/**
 * After a restore a node may still hold the previous database's list, with accounts that now belong to other hosts.
 * This ends with the first list of this database.
 */
const mayHoldOldList = async (tx: Db, { uuid }: Node, said: Report, epoch: string): Promise<boolean> =>
  said.epoch !== '' && said.epoch !== epoch && !(await store.hasHeldList(tx, uuid))

const stateOf = ({ uuid }: Node, { core, connections, load, refusedList }: Report, at: Date) => ({
  host_uuid: uuid,
  core_version: core.version,
  boot_id: core.bootId,
  up_since: core.upSince === '' ? null : new Date(core.upSince),
  connections,
  load,
  refused_list: refusedList,
  at,
})

/** Deleted accounts, and those that left long ago, are ignored. */
async function tellApart(tx: Db, node: Node, { applied, usage, online, gone }: Report) {
  const ids = [...new Set([...applied, ...usage, ...online, ...gone].map(({ id }) => id))]
  const found = ids.length > 0 ? await store.findSpokenOf(tx, node.uuid, ids) : []
  const those = (is: (one: store.SpokenOf) => boolean) => found.filter(is).map(({ uuid }) => uuid)
  return {
    own: new Set(those((one) => one.is_own)),
    mayCount: new Set(those((one) => one.is_own || one.has_just_left)),
    foreign: those((one) => !one.is_own && !one.has_just_left && !one.was_here),
  }
}

async function takeApplied(ctx: Context, tx: Db, node: Node, { applied, number }: Report): Promise<void> {
  const newest = new Map<string, number>()
  for (const { id, revision } of applied) newest.set(id, Math.max(revision, newest.get(id) ?? 0))
  const changed = await store.applyRevisions(
    tx,
    node.uuid,
    [...newest].map(([id, revision]) => ({ id, revision })),
  )
  if (changed.length > 0) await announceAccounts(ctx, tx, changed)
  await store.noteHeld(tx, node.uuid, number)
  if (node.kind === 'server' && (await store.beginReporting(tx, node.uuid, ctx.clock.now())))
    await announceAccountsOf(ctx, tx, 'server', node.uuid)
}

/** A counter never decreases within one start of the core. */
function largest(usage: Report['usage']): Report['usage'] {
  const found = new Map<string, Report['usage'][number]>()
  for (const { id, up, down } of usage) {
    const known = found.get(id) ?? { up: 0, down: 0 }
    found.set(id, { id, up: Math.max(up, known.up), down: Math.max(down, known.down) })
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Uses ages, because the node's clock may be wrong. */
function onlineOf({ online, now: nodeNow }: Report, now: Date): OnlineAccount[] {
  const ageOf = (seenAt: string) => Math.max(0, Date.parse(nodeNow) - Date.parse(seenAt))
  return online.map(({ id, devices }) => ({
    id,
    devices: devices
      .filter(({ seenAt }) => ageOf(seenAt) <= oldestSeen)
      .map(({ address, seenAt }) => ({ address, seenAt: new Date(now.getTime() - ageOf(seenAt)) })),
  }))
}

function lastSeen(online: readonly OnlineAccount[]): { id: string; at: Date }[] {
  const found = new Map<string, Date>()
  for (const { id, devices } of online)
    for (const { seenAt } of devices) {
      const known = found.get(id)
      if (!known || known < seenAt) found.set(id, seenAt)
    }
  return [...found].map(([id, at]) => ({ id, at })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Passes the cuts to the tunnels at once. Addresses of our hosts are skipped, because they are never customers. */
async function takeGone(tx: Db, node: Node, said: Report['gone'], now: Date): Promise<void> {
  if (said.length === 0 || node.kind !== 'server') return
  const spelled = said.map((one) => ({ ...one, address: readAddress(one.address) ?? one.address }))
  const own = new Set([...nobodys, ...(await store.hostAddresses(tx)).map((text) => readAddress(text) ?? '')])
  const gone = spelled.filter(({ address }) => !own.has(address))
  const tunnels = await store.tunnelsOf(
    tx,
    node.uuid,
    gone.map(({ id }) => id),
  )
  const byTunnel = grouped(gone, ({ id }) => tunnels.get(id))
  for (const tunnel of [...byTunnel.keys()].sort()) {
    if (tunnel === undefined) continue
    const cuts = new Map(
      byTunnel.get(tunnel)?.map(({ address, port }) => [`${address} ${port}`, { address, port }]),
    )
    await store.addCuts(tx, tunnel, [...cuts.values()], now)
  }
}

/** Cuts are sent for a minute only. */
export async function purgeNews(ctx: Context): Promise<void> {
  await store.forgetNews(ctx.db, new Date(ctx.clock.now().getTime() - 5 * 60_000))
  await purgeAlerts(ctx)
}
