import { randomInt } from 'node:crypto'
import { day, type TargetProblem } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { isForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { inParallel } from '../../lib/in-parallel.ts'
import { announceHost } from '../hosts/kinds.ts'
import { tlsNameOf } from '../hosts/tls-name.ts'
import { failuresForTrouble } from './servers.ts'
import { siteProblems } from './site-problems.ts'
import * as store from './target-checks.store.ts'

/** With five seconds for each, a round ends within a minute. */
const atMost = 80
const atOnce = 8
const hour = 3_600_000

/**
 * Repeats the check of the form: once a day at a time that differs, and each hour while a site fails. What fails is
 * only shown, and goes away when a check finds nothing.
 */
export async function watchTargets(ctx: Context, check = siteProblems): Promise<Record<string, number>> {
  // Where probes are off, this machine sees another internet than customers do.
  if (!ctx.config.KELID_PROBES) return { checked: 0, failed: 0 }
  const due = await store.dueTargets(ctx.db, ctx.clock.now(), atMost)
  const failed = await inParallel(due, atOnce, async (server) => {
    const problems = await problemsAt(ctx, server, check)
    await note(ctx, server, problems)
    return problems.length > 0
  })
  return { checked: due.length, failed: failed.filter(Boolean).length }
}

async function problemsAt(
  ctx: Context,
  { target, sni, url }: store.Watched,
  check: typeof siteProblems,
): Promise<TargetProblem[]> {
  const [address] = await ctx.resolve(target)
  if (!address || isForbiddenTarget(ctx, address)) return ['UNREACHABLE']
  return check(address, tlsNameOf({ url, sni }))
}

async function note(ctx: Context, server: store.Watched, problems: TargetProblem[]): Promise<void> {
  const now = ctx.clock.now()
  const isWrong = problems.length > 0
  const failures = isWrong ? server.failures + 1 : 0
  const goesOn = server.since !== null && isWrong === server.failures > 0
  const dueAt = new Date(now.getTime() + (isWrong ? hour / 2 : day - randomInt(4 * hour)))
  await ctx.atomically(async (tx) => {
    const state = await store.keepCheck(tx, {
      ...{ uuid: server.uuid, target: server.target, sni: server.sni, problems, failures, dueAt },
      since: goesOn && server.since ? server.since : now,
    })
    const isNews = failures === failuresForTrouble || (!isWrong && server.failures >= failuresForTrouble)
    if (state && isNews) await announceHost(ctx, tx, { kind: 'server', uuid: server.uuid }, state)
  })
}
