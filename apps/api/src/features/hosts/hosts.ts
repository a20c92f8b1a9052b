import { type HostKind, type HostState, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { fromTo } from '../../lib/as-seen.ts'
import { isForbidden, refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { type Actor, record } from '../audit/audit.ts'
import { revokeNodeCertificates } from '../authority/authority.ts'
import { announceAccountsOf } from '../events/events.ts'
import { queueCleaning } from './cleaning.ts'
import { forgetHeard } from './heard.store.ts'
import * as store from './hosts.store.ts'
import { actionOf, announceHost, changeHost, type Host, holdHost } from './kinds.ts'
import { joinMachine, shareAccess } from './machine.ts'
import { lockAddresses, settle } from './occupancy.ts'
import { joinQuota } from './quotas.ts'
import { closeRuns, hasRuns, wasReached } from './runs.store.ts'
import { queueRun, queueUpkeep } from './runs.ts'
import { hasSshSecret, openSecrets } from './secrets.ts'
import { leaveMachine } from './ways.store.ts'

export { roomsByType } from './host-figures.store.ts'
export { type HostQuery, type HostSort, listHosts } from './host-list.store.ts'
export {
  countHosts,
  endingServers,
  findHost,
  findRow,
  findServer,
  findTunnel,
  type HostRow,
  readRow,
  type ServerRecord,
  type TunnelRecord,
} from './hosts.store.ts'

/** Repeating the same UUID and body changes nothing. Returns whether the host is new. */
export async function addHost(
  ctx: Context,
  tx: Db,
  by: Actor,
  kind: HostKind,
  row: store.NewHost,
): Promise<boolean> {
  refuseForbiddenTarget(ctx, row.ipv4)
  const host = { kind, uuid: row.uuid }
  await lockAddresses(tx)
  const isNew = await store.insertHost(tx, kind, row)
  const existing = await store.findHost(tx, kind, row.uuid)
  if (!existing?.request_hash.equals(row.request_hash)) throw new Refusal('UUID_TAKEN')
  if (!isNew) return false
  // The runs and logs of a removed host, or of the other kind, would become this one's.
  if (await hasRuns(tx, row.uuid)) throw new Refusal('UUID_TAKEN')
  const others = await settle(ctx, tx, host, { hasCome: true })
  const { row: added } = await store.readRow(tx, kind, row.uuid)
  const bringsAccess = hasSshSecret(kind, openSecrets(ctx, kind, added))
  await joinMachine(ctx, tx, host, others, { bringsAccess })
  await joinQuota(ctx, tx, host, others, { bringsQuota: added.quota > 0 })
  await queueRun(ctx, tx, by, host)
  await announceHost(ctx, tx, host, row.state)
  await record(ctx, tx, by, actionOf(kind, 'add'), row.uuid, { name: row.name, ipv4: row.ipv4 })
  return true
}

interface HostMove {
  columns: store.MovedColumns
  detail: Record<string, string | number | null>
  /** An SSH password or key was entered with the address. */
  bringsAccess: boolean
}

/** Moves the host and provisions it there, then cleans the old machine. The caller has called holdMachine. */
export async function moveHost(
  ctx: Context,
  tx: Db,
  by: Actor,
  host: Host,
  ipv4: string,
  { columns, detail, bringsAccess }: HostMove,
): Promise<void> {
  refuseForbiddenTarget(ctx, ipv4)
  const before = await holdHost(tx, host)
  const isElsewhere = before.ipv4 !== ipv4
  if (isElsewhere && (await wasReached(tx, host))) await queueCleaning(ctx, tx, by, host)
  await store.updateHost(tx, host.kind, host.uuid, columns)
  const staysInService = !isElsewhere && before.state === 'ready'
  await changeHost(ctx, tx, host, { state: staysInService ? 'ready' : 'queued', ipv4 })
  const others = await settle(ctx, tx, host, { hasCome: isElsewhere })
  if (isElsewhere) {
    await joinMachine(ctx, tx, host, others, { bringsAccess })
    await joinQuota(ctx, tx, host, others, { bringsQuota: false })
  } else await shareAccess(ctx, tx, host)
  // The old machine may soon belong to somebody else; the run issues a new certificate.
  if (isElsewhere) {
    await leaveMachine(tx, host)
    await revokeNodeCertificates(ctx, tx, host.uuid)
    await forgetHeard(tx, host.uuid)
  }
  await announceAccountsOf(ctx, tx, host.kind, host.uuid)
  // A running run works on the old address.
  await closeRuns(tx, host, ['running'], 'superseded', ctx.clock.now())
  if (staysInService) await queueUpkeep(ctx, tx, by, host, 'ready')
  else await queueRun(ctx, tx, by, host)
  await record(ctx, tx, by, actionOf(host.kind, 'change'), host.uuid, {
    ...fromTo({ ipv4: before.ipv4 }, { ipv4 }),
    ...detail,
  })
}

/** A forbidden address that the host or its DNS name resolves to. An unresolvable name is not forbidden. */
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

export const setHostState = (ctx: Context, tx: Db, host: Host, state: HostState): Promise<void> =>
  changeHost(ctx, tx, host, { state })
