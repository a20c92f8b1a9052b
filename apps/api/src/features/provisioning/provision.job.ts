import type { HostState } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { setHostState } from '../hosts/hosts.ts'
import * as store from './provisioning.store.ts'
import { writeLog } from './provisioning.ts'

/** A worker that has had a run for this long without finishing it is taken for dead. */
const lease = 15 * 60_000

const noProvisioner =
  'No provisioner is configured on this installation, so nothing was changed on the host. ' +
  'Set the host up by hand and mark it as ready.'

/** May be delivered twice: whoever cannot take the run leaves it alone. */
export async function provision(ctx: Context, uuid: string): Promise<void> {
  const now = ctx.clock.now()
  const run = await store.leaseRun(ctx.db, uuid, now, new Date(now.getTime() - lease))
  if (!run) return
  await report(ctx, run, 'provisioning')
  await writeLog(ctx, run, noProvisioner, [])
  await report(ctx, run, 'failed')
}

/** Unless the run was called off meanwhile: whoever marks a host as ready by hand has the last word. */
const report = (ctx: Context, run: store.RunRecord, state: HostState): Promise<void> =>
  ctx.atomically(async (tx) => {
    if (!(await store.holdRun(tx, run.uuid))) return
    if (state === 'failed') await store.finishRun(tx, run.uuid, 'failed', ctx.clock.now())
    await setHostState(ctx, tx, { kind: run.subject, uuid: run.subject_uuid }, state)
  })

/** Runs whose job was lost, as after a restore, are sent again. */
export async function resendOpenRuns(ctx: Context): Promise<void> {
  for (const run of await store.openRuns(ctx.db)) await ctx.jobs.send(ctx.db, 'provision', { run })
}
