import type { Answer, checkRealityTarget, Input } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import * as store from './servers.store.ts'
import { siteProblems } from './site-problems.ts'

/** For the form, before a server shows the site. */
export async function checkTarget(
  ctx: Context,
  { serverRealityTarget: target, serverSNIAddress: sni, serverUUID }: Input<typeof checkRealityTarget>,
): Promise<Answer<typeof checkRealityTarget>> {
  const addresses = await ctx.resolve(target)
  for (const address of addresses) refuseForbiddenTarget(ctx, address)
  const [address] = addresses
  const usedBy = await store.namesWithTarget(ctx.db, target, serverUUID)
  return { targetProblems: address ? await siteProblems(address, sni || target) : ['UNREACHABLE'], usedBy }
}
