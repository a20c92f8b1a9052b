import type { Programs } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Host } from './kinds.ts'
import * as store from './programs.store.ts'
import { findRun } from './runs.store.ts'

export { installedCores, noteInstalled, readPrograms, wantPrograms } from './programs.store.ts'

/**
 * After a failed run the host wants what its last successful run left there, so the next run restores that. Before its
 * first success it keeps what it wants.
 */
export async function giveUpgradeUp(ctx: Context, tx: Db, host: Host): Promise<void> {
  const run = (await findRun(tx, host))?.uuid ?? null
  await store.giveUpgradeUp(tx, host, { run, at: ctx.clock.now() })
}

export const samePrograms = (a: Programs | null, b: Programs | null): boolean =>
  a !== null &&
  b !== null &&
  (['core', 'agent', 'node'] as const).every((name) => a[name].sha256 === b[name].sha256)
