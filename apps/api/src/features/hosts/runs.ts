import { type HostState, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { findHost } from './hosts.store.ts'
import { actionOf, announceHost, changeHost, type Host, holdHost } from './kinds.ts'
import { giveUpgradeUp } from './programs.ts'
import { forgetFailures, noteFailedUpkeep } from './retries.ts'
import * as store from './runs.store.ts'

export { hasOpenRun } from './runs.store.ts'

/** The new run supersedes queued ones and waits for a running one. The caller has locked the host. */
export async function queueRun(
  ctx: Context,
  tx: Db,
  by: Actor,
  host: Host,
  how: Pick<store.NewRun, 'stateIfCancelled' | 'keepsState'> = {},
): Promise<void> {
  const now = ctx.clock.now()
  await store.closeRuns(tx, host, ['queued'], 'superseded', now)
  const run = await store.insertRun(tx, host, { ...how, askedBy: by.email, now })
  await ctx.jobs.send(tx, 'provision', { run })
}

/** The host keeps its state while the run is under way, and also if it fails. */
export async function queueUpkeep(
  ctx: Context,
  tx: Db,
  by: Actor,
  host: Host,
  state: HostState,
): Promise<void> {
  await queueRun(ctx, tx, by, host, {
    stateIfCancelled: state === 'ready' ? 'ready' : 'failed',
    keepsState: true,
  })
  await announceHost(ctx, tx, host, state)
}

/** A host in service stays there. */
export async function queueProvisioning(
  ctx: Context,
  tx: Db,
  by: Actor,
  host: Host,
  state: HostState,
): Promise<void> {
  if (state === 'ready') return queueUpkeep(ctx, tx, by, host, state)
  const waiting = await store.findWaiting(tx, host)
  await changeHost(ctx, tx, host, { state: 'queued' })
  await queueRun(ctx, tx, by, host, { stateIfCancelled: waiting?.state_if_cancelled })
}

export const provisionHost = (ctx: Context, by: Actor, host: Host): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { state } = await holdHost(tx, host)
    await queueProvisioning(ctx, tx, by, host, state)
    await record(ctx, tx, by, actionOf(host.kind, 'provision'), host.uuid)
  })

/**
 * Cancels queued and running runs. A host in service stays there, and so does one whose runs have not begun; otherwise
 * nobody knows how far the run got, and the host counts as failed. The worker notices within a second or two and stops.
 */
export const cancelRuns = (ctx: Context, by: Actor, host: Host): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { state: from } = await holdHost(tx, host)
    const cancelledRuns = await store.closeRuns(tx, host, ['queued', 'running'], 'cancelled', ctx.clock.now())
    if (cancelledRuns.length === 0) throw new Refusal('NOTHING_RUNS')
    const isUntouched = cancelledRuns.every(
      (run) => run.started_at === null && run.state_if_cancelled === 'ready',
    )
    const isUpkeep = from === 'ready' && cancelledRuns.every((run) => run.keeps_state)
    const to = isUntouched || isUpkeep ? 'ready' : 'failed'
    await giveUpgradeUp(ctx, tx, host)
    await changeHost(ctx, tx, host, { state: to })
    if (isUpkeep && !isUntouched) await noteFailedUpkeep(ctx, tx, host)
    await record(ctx, tx, by, actionOf(host.kind, 'cancel'), host.uuid, { from, to })
  })

/** Marks a host that an administrator set up by hand. Cancels its runs, which would overwrite that work. */
export async function setHostReady(
  ctx: Context,
  tx: Db,
  by: Actor,
  host: Host,
  reason: string,
): Promise<void> {
  const { state: from } = await holdHost(tx, host)
  await store.closeRuns(tx, host, ['queued', 'running'], 'superseded', ctx.clock.now())
  // Tunnels and links then use what the row says, not what was provisioned last.
  const provisioned = host.kind === 'server' ? { serving: null } : { served_port: null }
  await giveUpgradeUp(ctx, tx, host)
  await forgetFailures(tx, host)
  await changeHost(ctx, tx, host, { state: 'ready', set_by_hand: true, ...provisioned })
  await record(ctx, tx, by, actionOf(host.kind, 'ready'), host.uuid, { reason, from, to: 'ready' })
}

export async function logOfHost(ctx: Context, host: Host, runUUID?: string) {
  const hostRow = await findHost(ctx.db, host.kind, host.uuid)
  const run = await store.findRun(ctx.db, host, runUUID)
  if (!hostRow || !run) throw new Refusal('RESOURCE_NOT_FOUND')
  return { ansibleLog: await store.logOf(ctx.db, run.uuid), ansibleState: hostRow.state }
}

const toRun = (run: Awaited<ReturnType<typeof store.listRuns>>['rows'][number]) => ({
  runUUID: run.uuid,
  runPurpose: run.purpose,
  runState: run.state,
  runQueuedDate: run.created_at.toISOString(),
  runStartedDate: run.started_at?.toISOString() ?? null,
  runFinishedDate: run.finished_at?.toISOString() ?? null,
  runAttempts: run.attempts,
  runLines: run.lines,
  runBy: run.asked_by,
})

/** Of all hosts at an address, also those that have left it. */
export async function listRunsAt(
  { db }: Context,
  ipv4: string,
  { limit = 20, cursor }: { limit?: number | undefined; cursor?: string | undefined },
) {
  const { rows, ...page } = await store.listRunsAt(db, ipv4, { limit, cursor })
  return {
    items: rows.map((run) => ({
      ...toRun(run),
      ...{ hostUUID: run.subject_uuid, hostKind: run.subject, hostName: run.name },
    })),
    ...page,
  }
}

export async function listRuns(
  ctx: Context,
  host: Host,
  { limit = 50, cursor }: { limit?: number | undefined; cursor?: string | undefined },
) {
  if (!(await findHost(ctx.db, host.kind, host.uuid))) throw new Refusal('RESOURCE_NOT_FOUND')
  const { rows, ...page } = await store.listRuns(ctx.db, host, { limit, cursor })
  return {
    items: rows.map(toRun),
    ...page,
  }
}
