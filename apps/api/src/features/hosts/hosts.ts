import { type HostKind, type HostState, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { fromTo } from '../../lib/as-seen.ts'
import { type By, record } from '../audit/audit.ts'
import { revokeNodeCertificates } from '../authority/authority.ts'
import { announceAccountsOf } from '../events/events.ts'
import { queueCleaning } from './cleaning.ts'
import { isForbidden, refuseForbiddenTarget } from './forbidden-targets.ts'
import { forgetHeard } from './heard.store.ts'
import * as store from './hosts.store.ts'
import { actionOf, announceHost, changeHost, type Host, holdHost } from './kinds.ts'
import { closeRuns, hasRuns, wasReached } from './runs.store.ts'
import { queueRun } from './runs.ts'

export { findAnyHost, type HeardHost, noteHeard } from './heard.store.ts'
export { acceptNewHostKey, tellHostKey } from './host-access.ts'
export { roomsByType } from './host-figures.store.ts'
export {
  acceptHostKey,
  forgetTraces,
  hostKeyAt,
  hostKeyOf,
  noteTrust,
  type PinnedKey,
  pinHostKey,
} from './host-keys.ts'
export { type HostQuery, type HostSort, listHosts } from './host-list.store.ts'
export { countHosts, findHost, isAddressInUse } from './hosts.store.ts'
export { actionOf, announceHost, type Host, holdHost, tryHoldHost } from './kinds.ts'
export { type HostPlaces, listTargets } from './moving.store.ts'
export { moveAccounts, movePlaces, placesOf, quoteMove } from './moving.ts'
export { giveManyPlacesBack, givePlacesBack, hasRoom, takePlaces } from './places.ts'
export {
  areTunnelsUpToDate,
  type Exit,
  otherEnds,
  refreshRelays,
  relayKeyOf,
  relaySecretsOf,
  setUpAgain,
  slotsOf,
} from './relays.ts'
export { cancelRuns, listRuns, logOfHost, provisionHost, setHostReady } from './runs.ts'
export { removeHost, saveEdit, setHostPaused } from './upkeep.ts'

/** The row and its run together; the same UUID and body again is the same host, and nothing happens. */
export async function addHost(ctx: Context, tx: Db, by: By, kind: HostKind, row: store.NewHost) {
  refuseForbiddenTarget(row.ipv4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  const host = { kind, uuid: row.uuid }
  const isNew = await store.insertHost(tx, kind, row)
  const stored = await store.findHost(tx, kind, row.uuid)
  if (!stored?.request_hash.equals(row.request_hash)) throw new Refusal('UUID_TAKEN')
  if (!isNew) return
  // Of a host that was removed, or of the other kind: their runs and logs would become this one's.
  if (await hasRuns(tx, row.uuid)) throw new Refusal('UUID_TAKEN')
  await queueRun(ctx, tx, by, host)
  await announceHost(ctx, tx, host, row.state)
  await record(ctx, tx, by, actionOf(kind, 'add'), row.uuid, { name: row.name, ipv4: row.ipv4 })
}

/** To another address, where it is set up again; the machine that it leaves is cleaned when that is done. `countries` is what the audit log says of a server's besides. */
export async function moveHost(
  ctx: Context,
  tx: Db,
  by: By,
  host: Host,
  ipv4: string,
  countries: { from?: number; to?: number } = {},
): Promise<void> {
  refuseForbiddenTarget(ipv4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  const before = await holdHost(tx, host)
  if (before.ipv4 !== ipv4 && (await wasReached(tx, host))) await queueCleaning(ctx, tx, by, host)
  await changeHost(ctx, tx, host, { state: 'queued', ipv4 })
  // The machine at the old address may be somebody else's tomorrow; the run brings the new one its own.
  if (before.ipv4 !== ipv4) {
    await revokeNodeCertificates(ctx, tx, host.uuid)
    await forgetHeard(tx, host.uuid)
  }
  await announceAccountsOf(ctx, tx, host.kind, host.uuid)
  // One under way is at the old address.
  await closeRuns(tx, host, ['running'], 'superseded', ctx.clock.now())
  await queueRun(ctx, tx, by, host)
  const detail = fromTo(
    { ipv4: before.ipv4, countryId: countries.from ?? null },
    { ipv4, countryId: countries.to ?? null },
  )
  await record(ctx, tx, by, actionOf(host.kind, 'change'), host.uuid, detail)
}

/** Whether nothing is to be sent there, whoever entered it. */
export const isForbiddenTarget = ({ config }: Pick<Context, 'config'>, address: string): boolean =>
  !config.KELID_ALLOW_RESERVED_TARGETS && isForbidden(address)

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

export const setHostState = (ctx: Context, tx: Db, host: Host, state: HostState): Promise<void> =>
  changeHost(ctx, tx, host, { state })
