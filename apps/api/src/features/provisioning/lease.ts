import type { Context } from '../../context.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import * as store from './provisioning.store.ts'

/** A worker counts as dead after this silence; its programs end themselves earlier. */
export const silence = 60_000
const maxAttempts = 3
const oneAtATime = ['provision_runs_one_at_a_time', 'provision_runs_one_per_machine']
/** Its job should long have run by then. */
const forgottenAfter = 5 * 60_000

const lostBefore = (now: Date) => new Date(now.getTime() - silence)

/** Idempotent: undefined if another worker has the run, its host or its machine. */
export async function takeRun(ctx: Context, uuid: string): Promise<store.RunRecord | undefined> {
  const now = ctx.clock.now()
  try {
    return await ctx.atomically(async (tx) => {
      await store.endLostBefore(tx, uuid, now, lostBefore(now))
      return store.leaseRun(tx, uuid, now, lostBefore(now), maxAttempts)
    })
  } catch (error) {
    if (oneAtATime.some((index) => isUniqueViolation(error, index))) return undefined
    throw error
  }
}

/** Renews the lease while something takes its time before the programs of the run begin. */
export async function holding<T>(ctx: Context, lease: store.Lease, work: () => Promise<T>): Promise<T> {
  const renew = () => store.beat(ctx.db, lease, ctx.clock.now()).catch(() => {})
  const timer = setInterval(() => void renew(), silence / 6)
  return work().finally(() => clearInterval(timer))
}

export const releaseRun = (ctx: Context, lease: store.Lease): Promise<void> =>
  ctx.atomically(async (tx) => {
    for (const run of await store.release(tx, lease)) await ctx.jobs.send(tx, 'provision', { run })
  })

export const leaveRun = (ctx: Context, lease: store.Lease): Promise<void> =>
  ctx.atomically(async (tx) => {
    if (await store.putBack(tx, lease)) await ctx.jobs.send(tx, 'provision', { run: lease.uuid })
  })

/** Queues runs again whose worker died or whose job was lost; `giveUp` ends them after the last attempt. */
export async function resendLostRuns(
  ctx: Context,
  giveUp: (run: store.RunRecord) => Promise<void>,
): Promise<{ resent: number; givenUp: number }> {
  const now = ctx.clock.now()
  const lost = await store.lostRuns(ctx.db, lostBefore(now))
  const exhausted = lost.filter(({ attempts }) => attempts >= maxAttempts)
  for (const run of exhausted) await giveUp(run)
  const forgottenRuns = await store.forgottenRuns(
    ctx.db,
    new Date(now.getTime() - forgottenAfter),
    lostBefore(now),
  )
  const again = [...lost.filter((run) => !exhausted.includes(run)).map(({ uuid }) => uuid), ...forgottenRuns]
  for (const run of again) await ctx.jobs.send(ctx.db, 'provision', { run })
  return { resent: again.length, givenUp: exhausted.length }
}
