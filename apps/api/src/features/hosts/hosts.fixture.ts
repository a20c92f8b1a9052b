import type { Product } from '../../../test/product.ts'
import { provision } from '../provisioning/provision.job.ts'

/** Does what the worker would: runs whatever waits for a host. Returns how many there were. */
export async function runQueued({ ctx }: Product, hostUuid: string): Promise<number> {
  const runs = await ctx.db
    .selectFrom('provision_runs')
    .select('uuid')
    .where('subject_uuid', '=', hostUuid)
    .where('state', '=', 'queued')
    .execute()
  for (const run of runs) await provision(ctx, run.uuid)
  return runs.length
}
