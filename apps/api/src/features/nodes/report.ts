import { type Input, Refusal, type report } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { readAddress } from '../../lib/addresses.ts'
import { groupBy } from '../../lib/grouped.ts'
import { announceAccounts, announceAccountsOf } from '../events/events.ts'
import { announceHost } from '../hosts/kinds.ts'
import { countUsage, lookForAbuse, noteSeen, type OnlineAccount, recordStops } from '../usage/usage.ts'
import { type Alert, purgeAlerts, raiseAlerts } from './alerts.ts'
import { readEpoch } from './nodes.store.ts'
import type { Node } from './nodes.ts'
import * as store from './report.store.ts'

type Report = Input<typeof report>

/** Not addresses of customers. */
const reservedAddresses = ['127.0.0.1', '::1', '0.0.0.0', '::']
/** Older sightings say nothing about who is connected now. */
const maxSightingAge = 5 * 60_000

/** One transaction: a node without an answer sends the report again, and nothing counts twice. */
export async function takeReport(
  ctx: Context,
  node: Node,
  report: Report,
): Promise<{ epoch: string; now: string }> {
  const answer = await ctx.atomically((tx) => processReport(ctx, tx, node, report))
  // Thrown outside the transaction, so that only the alert is kept.
  if (!answer) throw new Refusal('FOREIGN_REPORT')
  return answer
}

async function processReport(ctx: Context, tx: Db, node: Node, report: Report) {
  const now = ctx.clock.now()
  const before = await store.lockState(tx, stateOf(node, report, now))
  if (before ? before.refused_list !== report.refusedList : report.refusedList !== '')
    await announceHost(ctx, tx, node, node.state)
  const epoch = await readEpoch(tx)
  const { own, mayCount, foreign } = await classifyAccounts(tx, node, report)
  const alerts: Alert[] = []
  if (foreign.length > 0 && !(await mayHoldOldList(tx, node, report, epoch))) {
    alerts.push({ alert: 'foreign', count: foreign.length, account: foreign[0] ?? '' })
    const audit = await raiseAlerts(ctx, tx, node, alerts)
    await audit()
    return undefined
  }
  if (report.epoch === epoch) await takeApplied(ctx, tx, node, report)
  if (report.core.bootId !== '') {
    const source = { hostUUID: node.uuid, bootId: report.core.bootId }
    const counters = largest(report.usage.filter(({ id }) => mayCount.has(id)))
    if (!(await countUsage(tx, source, counters, now))) alerts.push({ alert: 'boots', count: 1 })
  }
  await queueCuts(tx, node, report.gone, now)
  const online = onlineOf(report, now).filter(({ id }) => own.has(id))
  await noteSeen(tx, lastSeenById(online))
  const { stops, heldBack, inventedDevices: madeUpDevices } = await lookForAbuse(ctx, tx, node.uuid, online)
  if (heldBack > 0) alerts.push({ alert: 'abuse', count: heldBack })
  if (madeUpDevices > 0) alerts.push({ alert: 'devices', count: madeUpDevices })
  const audit = await raiseAlerts(ctx, tx, node, alerts)
  await recordStops(ctx, tx, stops)
  await audit()
  return { epoch, now: now.toISOString() }
}

/** After a restore a node may hold the old database's list until it gets the first list of this one. */
const mayHoldOldList = async (tx: Db, { uuid }: Node, report: Report, epoch: string): Promise<boolean> =>
  report.epoch !== '' && report.epoch !== epoch && !(await store.hasReportedList(tx, uuid))

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
async function classifyAccounts(tx: Db, node: Node, { applied, usage, online, gone }: Report) {
  const ids = [...new Set([...applied, ...usage, ...online, ...gone].map(({ id }) => id))]
  const accounts = ids.length > 0 ? await store.lockReportedAccounts(tx, node.uuid, ids) : []
  const uuidsWhere = (is: (one: store.ReportedAccount) => boolean) =>
    accounts.filter(is).map(({ uuid }) => uuid)
  return {
    own: new Set(uuidsWhere((one) => one.is_own)),
    mayCount: new Set(uuidsWhere((one) => one.is_own || one.has_just_left)),
    foreign: uuidsWhere((one) => !one.is_own && !one.has_just_left && !one.was_here),
  }
}

async function takeApplied(ctx: Context, tx: Db, node: Node, { applied, number }: Report): Promise<void> {
  const newest = new Map<string, number>()
  for (const { id, revision } of applied) newest.set(id, Math.max(revision, newest.get(id) ?? 0))
  const changedAccounts = await store.applyRevisions(
    tx,
    node.uuid,
    [...newest].map(([id, revision]) => ({ id, revision })),
  )
  if (changedAccounts.length > 0) await announceAccounts(ctx, tx, changedAccounts)
  await store.noteNodeList(tx, node.uuid, number)
  if (node.kind === 'server' && (await store.beginReporting(tx, node.uuid, ctx.clock.now())))
    await announceAccountsOf(ctx, tx, 'server', node.uuid)
}

/** A counter never decreases within one start of the core. */
function largest(usage: Report['usage']): Report['usage'] {
  const largestById = new Map<string, Report['usage'][number]>()
  for (const { id, up, down } of usage) {
    const largestSoFar = largestById.get(id) ?? { up: 0, down: 0 }
    largestById.set(id, { id, up: Math.max(up, largestSoFar.up), down: Math.max(down, largestSoFar.down) })
  }
  return [...largestById.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Uses ages, because the node's clock may be wrong. */
function onlineOf({ online, now: nodeNow }: Report, now: Date): OnlineAccount[] {
  const ageOf = (seenAt: string) => Math.max(0, Date.parse(nodeNow) - Date.parse(seenAt))
  return online.map(({ id, devices }) => ({
    id,
    devices: devices
      .filter(({ seenAt }) => ageOf(seenAt) <= maxSightingAge)
      .map(({ address, seenAt }) => ({ address, seenAt: new Date(now.getTime() - ageOf(seenAt)) })),
  }))
}

function lastSeenById(online: readonly OnlineAccount[]): { id: string; at: Date }[] {
  const latestById = new Map<string, Date>()
  for (const { id, devices } of online)
    for (const { seenAt } of devices) {
      const latest = latestById.get(id)
      if (!latest || latest < seenAt) latestById.set(id, seenAt)
    }
  return [...latestById].map(([id, at]) => ({ id, at })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Passes the cuts to the tunnels at once. Addresses of our hosts are skipped, because they are never customers. */
async function queueCuts(tx: Db, node: Node, connections: Report['gone'], now: Date): Promise<void> {
  if (connections.length === 0 || node.kind !== 'server') return
  const normalized = connections.map((one) => ({ ...one, address: readAddress(one.address) ?? one.address }))
  const hostAddresses = new Set([
    ...reservedAddresses,
    ...(await store.hostAddresses(tx)).map((text) => readAddress(text) ?? ''),
  ])
  const customers = normalized.filter(({ address }) => !hostAddresses.has(address))
  const tunnels = await store.tunnelsOf(
    tx,
    node.uuid,
    customers.map(({ id }) => id),
  )
  const byTunnel = groupBy(customers, ({ id }) => tunnels.get(id))
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
