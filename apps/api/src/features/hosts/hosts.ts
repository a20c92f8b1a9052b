import { type HostKind, type HostState, type LiveEvent, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type By, record } from '../audit/audit.ts'
import { announce, announceAccountsOf } from '../events/events.ts'
import { isForbidden, refuseForbiddenTarget } from './forbidden-targets.ts'
import * as store from './hosts.store.ts'
import * as runs from './runs.store.ts'

export { healthOf } from './health.ts'
export { type HostQuery, type HostSort, listHosts } from './host-list.store.ts'
export { countHosts } from './hosts.store.ts'
export { giveManyPlacesBack, givePlacesBack, hasRoom, movePlaces, takePlaces } from './places.ts'

/** What tells the kinds apart for everybody else: the event of a change, and the words of the audit log. */
interface KindOfHost {
  event(uuid: string, state: HostState): LiveEvent
  audit: Readonly<Record<'add' | 'move' | 'provision' | 'ready', string>>
}

const kinds: Record<HostKind, KindOfHost> = {
  server: {
    event: (serverUUID, state) => ({ type: 'server', serverUUID, state }),
    audit: { add: 'addserver', move: 'changeserver', provision: 'provisionserver', ready: 'setserverready' },
  },
  tunnel: {
    event: (tunnelUUID, state) => ({ type: 'tunnel', tunnelUUID, state }),
    audit: { add: 'addtunnel', move: 'changetunnel', provision: 'provisiontunnel', ready: 'settunnelready' },
  },
}

/** A host as a call or a run names it. */
export interface Host {
  kind: HostKind
  uuid: string
}

/** The row and its run together; the same UUID and body again is the same host, and nothing happens. */
export async function addHost(ctx: Context, tx: Db, by: By, kind: HostKind, row: store.NewHost) {
  refuseForbiddenTarget(row.ipv4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  const host = { kind, uuid: row.uuid }
  const isNew = await store.insertHost(tx, kind, row)
  const stored = await store.findHost(tx, kind, row.uuid)
  if (!stored?.request_hash.equals(row.request_hash)) throw new Refusal('UUID_TAKEN')
  if (!isNew) return
  await queueRun(ctx, tx, host)
  await announce(ctx, tx, null, [kinds[kind].event(row.uuid, row.state)])
  await record(ctx, tx, by, kinds[kind].audit.add, row.uuid, { name: row.name, ipv4: row.ipv4 })
}

/** To another address, where it is set up again. `detail` is what else the audit log says of it. */
export async function moveHost(
  ctx: Context,
  tx: Db,
  by: By,
  host: Host,
  ipv4: string,
  detail: Record<string, number> = {},
): Promise<void> {
  refuseForbiddenTarget(ipv4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  await changeHost(ctx, tx, host, { state: 'queued', ipv4 })
  await announceAccountsOf(ctx, tx, host.kind, host.uuid)
  await queueRun(ctx, tx, host)
  await record(ctx, tx, by, kinds[host.kind].audit.move, host.uuid, { ipv4, ...detail })
}

/**
 * Where a run would lead that must not: the host's own address, or one that its name stands for by now. A name that
 * leads nowhere yet is none of these.
 */
export async function findForbiddenTarget(
  ctx: Context,
  { kind, uuid }: Host,
): Promise<{ name: string; address: string } | null> {
  if (ctx.config.KELID_ALLOW_RESERVED_TARGETS) return null
  const target = await store.findTarget(ctx.db, kind, uuid)
  if (!target) return null
  const [name = ''] = target.url.split('/')
  for (const address of [target.ipv4, ...(await ctx.resolve(name))])
    if (isForbidden(address)) return { name, address }
  return null
}

export const provisionHost = (ctx: Context, by: By, host: Host): Promise<void> =>
  ctx.atomically(async (tx) => {
    await changeHost(ctx, tx, host, { state: 'queued' })
    await queueRun(ctx, tx, host)
    await record(ctx, tx, by, kinds[host.kind].audit.provision, host.uuid)
  })

/** By hand. What waits or is under way is called off: it would undo what somebody has done. */
export async function setHostReady(ctx: Context, tx: Db, by: By, host: Host, reason: string): Promise<void> {
  await runs.supersede(tx, host.uuid, ['queued', 'running'], ctx.clock.now())
  await changeHost(ctx, tx, host, { state: 'ready' })
  await record(ctx, tx, by, kinds[host.kind].audit.ready, host.uuid, { reason })
}

export const setHostState = (ctx: Context, tx: Db, host: Host, state: HostState): Promise<void> =>
  changeHost(ctx, tx, host, { state })

export async function logOfHost(ctx: Context, { kind, uuid }: Host) {
  const host = await store.findHost(ctx.db, kind, uuid)
  const ansibleLog = await runs.latestLog(ctx.db, uuid)
  if (!host || ansibleLog === null) throw new Refusal('RESOURCE_NOT_FOUND')
  return { ansibleLog, ansibleState: host.state }
}

async function changeHost(
  ctx: Context,
  tx: Db,
  { kind, uuid }: Host,
  change: { state: HostState; ipv4?: string },
): Promise<void> {
  if (!(await store.updateHost(tx, kind, uuid, change))) throw new Refusal('RESOURCE_NOT_FOUND')
  await announce(ctx, tx, null, [kinds[kind].event(uuid, change.state)])
}

/** In the transaction of the change that asks for it: both are written, or neither. It supersedes what still waits. */
async function queueRun(ctx: Context, tx: Db, { kind, uuid }: Host): Promise<void> {
  await runs.supersede(tx, uuid, ['queued'], ctx.clock.now())
  const run = await runs.insertRun(tx, kind, uuid, ctx.clock.now())
  await ctx.jobs.send(tx, 'provision', { run })
}
