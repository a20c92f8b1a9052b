import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { requireHost } from '../hosts/kinds.ts'
import { endBlock, readReplacement, replaceHost, stopReplacing } from './replacements.ts'

export const replacementsRoutes = [
  bind(contract.getReplacement, async ({ ctx, input }) =>
    readReplacement(ctx, await requireHost(ctx.db, input.hostUUID), input),
  ),
  bind(contract.replaceHost, async ({ ctx, by, input }) =>
    replaceHost(ctx, by, await requireHost(ctx.db, input.hostUUID), input),
  ),
  bind(contract.stopReplacing, async ({ ctx, by, input }) =>
    stopReplacing(ctx, by, await requireHost(ctx.db, input.hostUUID)),
  ),
  bind(contract.endBlock, async ({ ctx, by, input }) =>
    endBlock(ctx, by, await requireHost(ctx.db, input.hostUUID), input),
  ),
]
