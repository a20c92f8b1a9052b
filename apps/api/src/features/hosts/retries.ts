import type { Context, Db } from '../../context.ts'
import { announceHost, type Host, holdHost } from './kinds.ts'
import * as store from './retries.store.ts'

export { failedUpkeepOf, failingHosts, forgetFailures } from './retries.store.ts'

const minute = 60_000
/** Before a failed run is repeated on a host in service; the last one applies from then on. */
export const upkeepPauses = [1, 2, 5, 15, 60].map((minutes) => minutes * minute)

/** The host keeps its state: that a run failed says nothing about the service. */
export async function noteFailedUpkeep(ctx: Context, tx: Db, host: Host): Promise<void> {
  const { state, upkeep_failures: failures } = await holdHost(tx, host)
  const pause = upkeepPauses[Math.min(failures, upkeepPauses.length - 1)] ?? 0
  await store.noteFailure(tx, host, failures + 1, new Date(ctx.clock.now().getTime() + pause))
  await announceHost(ctx, tx, host, state)
}

export const hostsToRetry = ({ db, clock }: Context): Promise<Host[]> => store.hostsToRetry(db, clock.now())
