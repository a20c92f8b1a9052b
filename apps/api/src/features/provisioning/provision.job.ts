import type { HostState } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { findForbiddenTarget, setHostState, tryHoldHost } from '../hosts/hosts.ts'
import * as store from './provisioning.store.ts'
import { writeLog } from './provisioning.ts'

/** A worker that has had a run for this long without finishing it is taken for dead. */
const lease = 15 * 60_000

const noProvisioner =
  'No provisioner is configured on this installation, so nothing was changed on the host. ' +
  'Set the host up by hand and mark it as ready.'

const leadsAstray = ({ name, address }: { name: string; address: string }) =>
  `${name} leads to ${address}, which is reserved and cannot be a server or tunnel, so nothing was changed on the host. ` +
  'Correct the name or the address, then set the host up again.'

/** May be delivered twice: whoever cannot take the run leaves it alone. */
export async function provision(ctx: Context, uuid: string): Promise<void> {
  const now = ctx.clock.now()
  const run = await store.leaseRun(ctx.db, uuid, now, new Date(now.getTime() - lease))
  if (!run) return
  if (!(await report(ctx, run, 'provisioning'))) return
  const forbidden = await findForbiddenTarget(ctx, hostOf(run))
  // A program that is started here has to be ended when the run is called off, and that is known by `holdRun`.
  await writeLog(ctx, run, forbidden ? leadsAstray(forbidden) : noProvisioner, [])
  await report(ctx, run, 'failed')
}

const hostOf = (run: store.RunRecord) => ({ kind: run.subject, uuid: run.subject_uuid })

/**
 * Unless the run was called off meanwhile, and then false: whoever calls it off, removes the host or marks it as ready by
 * hand has the last word.
 */
const report = (ctx: Context, run: store.RunRecord, state: HostState): Promise<boolean> =>
  ctx.atomically(async (tx) => {
    if (!(await tryHoldHost(tx, hostOf(run))) || !(await store.holdRun(tx, run.uuid))) return false
    if (state === 'failed') await store.finishRun(tx, run.uuid, 'failed', ctx.clock.now())
    await setHostState(ctx, tx, hostOf(run), state)
    return true
  })

/** Runs whose job was lost, as after a restore, are sent again. */
export async function resendOpenRuns(ctx: Context): Promise<void> {
  for (const run of await store.openRuns(ctx.db)) await ctx.jobs.send(ctx.db, 'provision', { run })
}
