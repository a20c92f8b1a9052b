import { type HostState, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import { type Actor, record } from '../audit/audit.ts'
import { revokeNodeCertificates } from '../authority/authority.ts'
import { queueCleaning } from './cleaning.ts'
import { forgetTraces } from './host-keys.store.ts'
import * as store from './hosts.store.ts'
import { actionOf, announceHost, type Host, holdHost } from './kinds.ts'
import { lockAddresses } from './occupancy.store.ts'
import { refreshRelays } from './relays.ts'
import { closeRuns, wasReached } from './runs.store.ts'

/** A paused host takes no new accounts. `seen` is the value that the administrator saw. */
export const setHostPaused = (
  ctx: Context,
  by: Actor,
  host: Host,
  paused: boolean,
  seen: boolean | undefined,
): Promise<void> =>
  ctx.atomically(async (tx) => {
    const lockedHost = await holdHost(tx, host)
    requireAsSeen({ paused: seen }, lockedHost)
    if (lockedHost.paused === paused) return
    await store.updateHost(tx, host.kind, host.uuid, { paused })
    if (!paused) await store.noteReturn(tx, host.kind, host.uuid)
    await announceHost(ctx, tx, host, lockedHost.state)
    await record(ctx, tx, by, actionOf(host.kind, 'pause'), host.uuid, {
      from: lockedHost.paused,
      to: paused,
    })
  })

/** The caller holds the host. */
export async function pauseHost(ctx: Context, tx: Db, host: Host, state: HostState): Promise<void> {
  await store.updateHost(tx, host.kind, host.uuid, { paused: true })
  await announceHost(ctx, tx, host, state)
}

/**
 * Removes the host with its secrets. Its runs and logs stay, so its UUID is never used again. A machine that was ever
 * reached is cleaned; the cleaning run keeps the credentials until then.
 */
export async function removeHost(ctx: Context, by: Actor, host: Host): Promise<void> {
  await ctx.atomically(async (tx) => {
    await lockAddresses(tx)
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
