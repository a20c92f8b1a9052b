import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { type By, record } from '../audit/audit.ts'
import { revokeNodeCertificates } from '../authority/authority.ts'
import { queueCleaning } from './cleaning.ts'
import { forgetTraces } from './host-keys.store.ts'
import * as store from './hosts.store.ts'
import { actionOf, announceHost, type Host, holdHost } from './kinds.ts'
import { refreshRelays } from './relays.ts'
import { closeRuns, wasReached } from './runs.store.ts'

/** Takes no new accounts while it is paused; those that are there go on. `seen` is what whoever decides saw. */
export async function setHostPaused(
  ctx: Context,
  tx: Db,
  by: By,
  host: Host,
  paused: boolean,
  seen: boolean | undefined,
): Promise<void> {
  const held = await holdHost(tx, host)
  requireAsSeen({ paused: seen }, held)
  if (held.paused === paused) return
  await store.updateHost(tx, host.kind, host.uuid, { paused })
  await announceHost(ctx, tx, host, held.state)
  await record(ctx, tx, by, actionOf(host.kind, 'pause'), host.uuid, { from: held.paused, to: paused })
}

/** Saves what needs no provisioning. The caller holds the host and says what the audit log is to tell of it. */
export async function saveEdit(
  ctx: Context,
  tx: Db,
  by: By,
  host: Host,
  { accounts, state }: store.HeldHost,
  columns: store.EditedColumns,
  detail: Record<string, string | number | boolean | null>,
): Promise<void> {
  if (Object.keys(detail).length === 0) return
  if (columns.max_accounts !== undefined && columns.max_accounts < accounts)
    throw new Refusal('LIMIT_TOO_SMALL', { accounts })
  await store.updateHost(tx, host.kind, host.uuid, columns)
  await announceHost(ctx, tx, host, state)
  await record(ctx, tx, by, actionOf(host.kind, 'edit'), host.uuid, detail)
}

/**
 * With its secrets. Its runs and their logs stay, and its UUID with them: it is not given to another. A host that was ever
 * reached is cleaned once more; until then the run has what it takes to reach it.
 */
export async function removeHost(ctx: Context, by: By, host: Host): Promise<void> {
  await ctx.atomically(async (tx) => {
    const { accounts, state, name, ipv4 } = await holdHost(tx, host)
    if (accounts > 0) throw new Refusal('HOST_NOT_EMPTY', { accounts })
    await closeRuns(tx, host, ['queued', 'running'], 'cancelled', ctx.clock.now())
    if (await wasReached(tx, host)) await queueCleaning(ctx, tx, by, host)
    else await forgetTraces(tx, host.uuid)
    await store.deleteHost(tx, host.kind, host.uuid)
    await revokeNodeCertificates(ctx, tx, host.uuid)
    await announceHost(ctx, tx, host, state)
    await record(ctx, tx, by, actionOf(host.kind, 'remove'), host.uuid, { name, ipv4 })
  })
  await refreshRelays(ctx)
}
