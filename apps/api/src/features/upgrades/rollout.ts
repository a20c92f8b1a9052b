import { randomUUID } from 'node:crypto'
import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { type Actor, record } from '../audit/audit.ts'
import { actionOf, tryHoldHost } from '../hosts/kinds.ts'
import { wantPrograms } from '../hosts/programs.ts'
import { queueUpkeep } from '../hosts/runs.ts'
import * as store from './upgrades.store.ts'
import { programsFor, requireNewest, versionsOf } from './upgrades.ts'

/** Machines at a time: a failure stops at most this many. */
export const batchSize = 5

/** Only after one whole machine runs the newest programs. If two administrators start it, it runs once. */
export async function startRollout(ctx: Context, by: Actor): Promise<void> {
  const programs = await requireNewest(ctx)
  await ctx.atomically(async (tx) => {
    if (await store.lockRunning(tx)) return
    const { machines, outdated } = await store.countHosts(tx, programs)
    if (outdated === 0) throw new Refusal('UP_TO_DATE')
    if (machines === 0) throw new Refusal('UPGRADE_ONE_FIRST')
    const uuid = randomUUID()
    const isOurs = await store.insertRollout(tx, {
      ...{ uuid, programs, state: 'running', failed_host: null, finished_at: null },
      ...{ started_at: ctx.clock.now(), started_by: by.email },
    })
    if (!isOurs) return
    const ours = programsFor(programs, null)
    await record(ctx, tx, by, 'startrollout', uuid, ours ? versionsOf(ours) : {})
    await continueRollout(ctx, tx)
  })
}

export const stopRollout = (ctx: Context, by: Actor): Promise<void> =>
  ctx.atomically(async (tx) => {
    const rollout = await store.lockRunning(tx)
    if (!rollout) throw new Refusal('NOTHING_RUNS')
    await store.forgetWaiting(tx, rollout.programs)
    await finish(ctx, tx, rollout, 'stopped')
    await record(ctx, tx, by, 'stoprollout', rollout.uuid)
  })

/** After every run, and each minute. Returns the number of hosts whose upgrade it has begun. */
export const advanceRollout = (ctx: Context): Promise<number> =>
  ctx.atomically((tx) => continueRollout(ctx, tx))

async function continueRollout(ctx: Context, tx: Db): Promise<number> {
  const rollout = await store.lockRunning(tx)
  if (!rollout) return 0
  const failed = await store.firstFailure(tx, rollout)
  if (failed) {
    await store.forgetWaiting(tx, rollout.programs)
    await finish(ctx, tx, rollout, 'failed', failed.uuid)
    return 0
  }
  if ((await store.countUnderWay(tx, rollout.programs)) > 0) return 0
  const hosts = await store.nextHosts(tx, rollout.programs, batchSize)
  if (hosts.length === 0) await finish(ctx, tx, rollout, 'succeeded')
  const by = { email: rollout.started_by, address: '' }
  for (const host of hosts) {
    const lockedHost = await tryHoldHost(tx, host)
    const programs = programsFor(rollout.programs, host.processor)
    if (lockedHost?.state !== 'ready' || !programs) continue
    await wantPrograms(tx, host, programs)
    await queueUpkeep(ctx, tx, by, host, lockedHost.state)
    await record(ctx, tx, by, actionOf(host.kind, 'upgrade'), host.uuid, versionsOf(programs))
  }
  return hosts.length
}

const finish = (
  ctx: Context,
  tx: Db,
  { uuid }: store.RolloutRecord,
  state: 'succeeded' | 'failed' | 'stopped',
  failedHost: string | null = null,
) => store.finishRollout(tx, uuid, { state, failed_host: failedHost, finished_at: ctx.clock.now() })
