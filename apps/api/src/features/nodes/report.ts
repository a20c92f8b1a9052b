import { type Answer, type Input, Refusal, type report } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { readAddress } from '../../lib/addresses.ts'
import { groupBy } from '../../lib/grouped.ts'
import { countWithoutLeases, offersFor, takeLeases } from '../data/data.ts'
import { announceAccounts, announceAccountsOf } from '../events/events.ts'
import { announceHost, findAnyHost } from '../hosts/kinds.ts'
import { probeAccountOf } from '../hosts/probe-account.ts'
import { countUsage, judgeMinute, noteDevices, noteSeen } from '../usage/usage.ts'
import { type Alert, purgeAlerts, raiseAlerts } from './alerts.ts'
import { beginDays } from './first-use.ts'
import { readEpoch } from './nodes.store.ts'
import type { Node } from './nodes.ts'
import * as store from './report.store.ts'
import { takeTroubles } from './troubles.ts'

type Report = Input<typeof report>
type Taken = Answer<typeof report>

/** Not addresses of customers. */
const reservedAddresses = ['127.0.0.1', '::1', '0.0.0.0', '::']
/** Older connections say nothing about who is online now. */
const maxSightingAge = 5 * 60_000
const maxMinuteAge = 30_000

/** One transaction: a node without an answer sends the report again, and nothing counts twice. */
export async function takeReport(ctx: Context, node: Node, report: Report): Promise<Taken> {
  const answer = await ctx.atomically((tx) => processReport(ctx, tx, node, report))
  // Thrown outside the transaction, so that only the alert is kept.
  if (!answer) throw new Refusal('FOREIGN_REPORT')
  await judgeMoved(ctx, node, report, new Date(answer.now))
  return answer
}

async function processReport(ctx: Context, tx: Db, node: Node, report: Report) {
  const now = ctx.clock.now()
  const before = await store.lockState(tx, stateOf(node, report, now))
  if (before ? before.refused_list !== report.refusedList : report.refusedList !== '')
    await announceHost(ctx, tx, node, node.state)
  await takeTroubles(ctx, tx, node, report.troubles)
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
    const older = report.leases ? [] : counters.map(({ id }) => id)
    const count = () => countUsage(tx, source, counters, now)
    if (!(await countWithoutLeases(ctx, tx, node.uuid, older, count)))
      alerts.push({ alert: 'boots', count: 1 })
  }
  if (report.begun) await beginDays(ctx, tx, firstUses(report, own, now))
  if (report.leases) await takeLeases(ctx, tx, node.uuid, report.leases, own)
  await queueCuts(tx, node, report.gone, now)
  const online = report.online.filter(({ id }) => own.has(id))
  await noteSeen(tx, lastSeenById(report, online, now))
  const inventedDevices = await noteDevices(ctx, tx, node.uuid, connectedOf(online))
  if (inventedDevices > 0) alerts.push({ alert: 'devices', count: inventedDevices })
  const audit = await raiseAlerts(ctx, tx, node, alerts)
  await audit()
  return {
    ...{ epoch, now: now.toISOString(), understands: ['troubles', 'moved', 'leases', 'begun'] },
    ...(report.leases && { leases: await offersFor(tx, node.uuid) }),
  }
}

/** After a restore a node may hold the old database's list until it gets the first list of this one. */
const mayHoldOldList = async (tx: Db, { uuid }: Node, report: Report, epoch: string): Promise<boolean> =>
  report.epoch !== '' && report.epoch !== epoch && !(await store.hasReportedList(tx, uuid))

const stateOf = ({ uuid }: Node, { core, connections, load, refusedList, troubles }: Report, at: Date) => ({
  host_uuid: uuid,
  core_version: core.version,
  boot_id: core.bootId,
  up_since: core.upSince === '' ? null : new Date(core.upSince),
  connections,
  load,
  refused_list: refusedList,
  ...(troubles && { troubles_at: at }),
  at,
})

/** Deleted accounts, and those that left long ago, are ignored. */
async function classifyAccounts(tx: Db, node: Node, report: Report) {
  const { applied, usage, online, gone, leases = [], begun = [] } = report
  const ids = [
    ...new Set([...applied, ...usage, ...online, ...gone, ...leases, ...begun].map(({ id }) => id)),
  ]
  const strength = leases.length + begun.length > 0 ? 'change' : 'keep'
  const accounts = ids.length > 0 ? await store.lockReportedAccounts(tx, node.uuid, ids, strength) : []
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
  if (node.kind === 'server' && newest.has(probeAccountOf(ctx, node.uuid).id))
    if (await store.noteProbeApplied(tx, node.uuid, ctx.clock.now())) await ctx.jobs.send(tx, 'prove', {})
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
const ageOf = (report: Report, at: string): number => Math.max(0, Date.parse(report.now) - Date.parse(at))

const firstUses = (report: Report, own: ReadonlySet<string>, now: Date) =>
  (report.begun ?? [])
    .filter(({ id }) => own.has(id))
    .map(({ id, at }) => ({ id, at: new Date(now.getTime() - ageOf(report, at)) }))

/** The core lists an address as long as a connection is open; the number is when the last one was opened. */
const connectedOf = (online: Report['online']) =>
  online.map(({ id, devices }) => ({ id, addresses: devices.map(({ address }) => address) }))

function lastSeenById(report: Report, online: Report['online'], now: Date): { id: string; at: Date }[] {
  return online
    .flatMap(({ id, devices }) => {
      const age = Math.min(...devices.map(({ seenAt }) => ageOf(report, seenAt)))
      return age <= maxSightingAge ? [{ id, at: new Date(now.getTime() - age) }] : []
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A minute that arrives late is not judged, because the devices have changed since. */
async function judgeMoved(ctx: Context, node: Node, report: Report, now: Date): Promise<void> {
  const age = report.moved ? ageOf(report, report.moved.untilDate) : Number.POSITIVE_INFINITY
  if (!report.moved || age > maxMinuteAge) return
  const heldBack = await judgeMinute(ctx, node, report.moved.addresses, new Date(now.getTime() - age))
  for (const [uuid, count] of heldBack) await raiseHeldBack(ctx, uuid, count)
}

/** The host may be another one than the one that reports. */
const raiseHeldBack = (ctx: Context, uuid: string, count: number): Promise<void> =>
  ctx.atomically(async (tx) => {
    await store.lockReports(tx, uuid)
    const host = await findAnyHost(tx, uuid)
    if (!host) return
    const audit = await raiseAlerts(ctx, tx, host, [{ alert: 'abuse', count }])
    await audit()
  })

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
  const accountsByTunnel = groupBy(tunnels, ({ tunnel }) => tunnel)
  for (const [tunnel, accounts] of accountsByTunnel) {
    const ids = new Set(accounts.map(({ uuid }) => uuid))
    const cuts = customers.filter(({ id }) => ids.has(id))
    await store.addCuts(tx, tunnel, node.uuid, cuts, now)
  }
}

/** Cuts are sent for a minute only. */
export async function purgeNews(ctx: Context): Promise<void> {
  await store.forgetNews(ctx.db, new Date(ctx.clock.now().getTime() - 5 * 60_000))
  await purgeAlerts(ctx)
}
