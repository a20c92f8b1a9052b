import { availableParallelism, loadavg } from 'node:os'
import type { Product } from '../product.ts'

/** How many statements wait for a lock that another transaction holds. */
export async function lockWaiters({ ctx }: Product): Promise<number> {
  const { rows } = await ctx.pool.query(
    `SELECT count(*) AS total FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows[0].total
}

export const isReady = async (url: string): Promise<boolean> =>
  fetch(new URL('/readyz', url)).then(
    ({ status }) => status === 200,
    () => false,
  )

/** A time that holds on a machine of one's own; where others run too, as much longer as they take away from us. */
export const fair = (milliseconds: number): number =>
  milliseconds * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN
