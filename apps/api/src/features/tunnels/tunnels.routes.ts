import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import {
  acceptNewHostKey,
  listRuns,
  logOfHost,
  moveAccounts,
  provisionHost,
  quoteMove,
  removeHost,
  tellHostKey,
} from '../hosts/hosts.ts'
import { editTunnel } from './tunnel-edit.ts'
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
  bind(contract.getTunnelRuns, ({ ctx, input }) => listRuns(ctx, tunnels.hostOf(input.tunnelUUID), input)),
  bind(contract.cancelTunnelRun, ({ ctx, by, input }) => tunnels.cancelTunnelRun(ctx, by, input)),
  bind(contract.getTunnelHostKey, ({ ctx, input }) => tellHostKey(ctx, tunnels.hostOf(input.tunnelUUID))),
  bind(contract.acceptTunnelHostKey, ({ ctx, by, input }) =>
    acceptNewHostKey(ctx, by, tunnels.hostOf(input.tunnelUUID), input.basedOn),
  ),
  bind(contract.setTunnelPaused, ({ ctx, by, input }) => tunnels.setTunnelPaused(ctx, by, input)),
  bind(contract.editTunnel, ({ ctx, by, input }) => editTunnel(ctx, by, input)),
  bind(contract.getTunnelMoveTargets, ({ ctx, input }) => tunnels.listMoveTargets(ctx, input)),
  bind(contract.quoteTunnelMove, ({ ctx, input }) => quoteMove(ctx.db, tunnels.moveOf(input))),
  bind(contract.moveTunnelAccounts, ({ ctx, input, ...mover }) =>
    moveAccounts(ctx, mover, contract.moveTunnelAccounts, input, tunnels.moveOf(input)),
  ),
  bind(contract.removeTunnel, ({ ctx, by, input }) => removeHost(ctx, by, tunnels.hostOf(input.tunnelUUID))),
]
