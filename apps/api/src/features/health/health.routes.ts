import { getHostHealth } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { requireHost } from '../hosts/kinds.ts'
import { healthOfHost } from './health.ts'

export const healthRoutes = [
  bind(getHostHealth, async ({ ctx, input }) => healthOfHost(ctx, await requireHost(ctx.db, input.hostUUID))),
]
