import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { logOfHost, provisionHost } from '../hosts/runs.ts'
import * as tunnels from './tunnels.ts'

export const tunnelsRoutes = [
  bind(contract.getTunnels, ({ ctx, input }) => tunnels.listTunnels(ctx, input)),
  bind(contract.getTunnel, ({ ctx, input }) => tunnels.getTunnel(ctx, input.tunnelUUID)),
  bind(contract.addTunnel, ({ ctx, by, input }) => tunnels.addTunnel(ctx, by, input)),
  bind(contract.changeTunnel, ({ ctx, by, input }) => tunnels.changeTunnel(ctx, by, input)),
  bind(contract.provisionTunnel, ({ ctx, by, input }) =>
    provisionHost(ctx, by, tunnels.hostOf(input.tunnelUUID)),
  ),
  bind(contract.setTunnelReady, ({ ctx, by, input }) => tunnels.setTunnelReady(ctx, by, input)),
  bind(contract.getTunnelLog, ({ ctx, input }) =>
    logOfHost(ctx, tunnels.hostOf(input.tunnelUUID), input.runUUID),
  ),
]
