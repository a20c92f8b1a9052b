import { getServerHealth, getTunnelHealth } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { healthOfHost } from './health.ts'

export const healthRoutes = [
  bind(getServerHealth, ({ ctx, input }) => healthOfHost(ctx, 'server', input.serverUUID)),
  bind(getTunnelHealth, ({ ctx, input }) => healthOfHost(ctx, 'tunnel', input.tunnelUUID)),
]
