import type { Programs } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { lockHost } from './hosts.store.ts'
import type { Host } from './kinds.ts'
import { lockAddresses, servicesAt } from './occupancy.store.ts'
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

/**
 * After an upgrade that failed, other services of the machine that wait for the same upgrade keep what they run: their
 * customers would reconnect for nothing. A transaction of its own, because it locks several hosts in their order.
 */
export const keepProgramsBeside = (ctx: Context, host: Host, run: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    const failed = await store.findFailedUpgrade(tx, host, run)
    if (!failed) return
    await lockAddresses(tx)
    for (const { kind, uuid } of await servicesAt(tx, failed.ipv4)) {
      await lockHost(tx, kind, uuid)
      if (uuid !== host.uuid) await store.keepInstalled(tx, { kind, uuid }, failed.programs)
    }
  })

export const samePrograms = (a: Programs | null, b: Programs | null): boolean =>
  a !== null &&
  b !== null &&
  (['core', 'agent', 'node'] as const).every((name) => a[name].sha256 === b[name].sha256)
