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
import { editServer } from './server-edit.ts'
import * as servers from './servers.ts'

export const serversRoutes = [
  bind(contract.getServers, ({ ctx, input, lng }) => servers.listServers(ctx, input, lng)),
  bind(contract.getServer, ({ ctx, input, lng }) => servers.getServer(ctx, input.serverUUID, lng)),
  bind(contract.addServer, ({ ctx, by, input, lng }) => servers.addServer(ctx, by, input, lng)),
  bind(contract.changeServer, ({ ctx, by, input, lng }) => servers.changeServer(ctx, by, input, lng)),
  bind(contract.provisionServer, ({ ctx, by, input }) =>
    provisionHost(ctx, by, servers.hostOf(input.serverUUID)),
  ),
  bind(contract.setServerReady, ({ ctx, by, input, lng }) => servers.setServerReady(ctx, by, input, lng)),
  bind(contract.getServerLog, ({ ctx, input }) =>
    logOfHost(ctx, servers.hostOf(input.serverUUID), input.runUUID),
  ),
  bind(contract.getServerRuns, ({ ctx, input }) => listRuns(ctx, servers.hostOf(input.serverUUID), input)),
  bind(contract.cancelServerRun, ({ ctx, by, input, lng }) => servers.cancelServerRun(ctx, by, input, lng)),
  bind(contract.getServerHostKey, ({ ctx, input }) => tellHostKey(ctx, servers.hostOf(input.serverUUID))),
  bind(contract.acceptServerHostKey, ({ ctx, by, input }) =>
    acceptNewHostKey(ctx, by, servers.hostOf(input.serverUUID), input.basedOn),
  ),
  bind(contract.setServerPaused, ({ ctx, by, input, lng }) => servers.setServerPaused(ctx, by, input, lng)),
  bind(contract.editServer, ({ ctx, by, input, lng }) => editServer(ctx, by, input, lng)),
  bind(contract.getServerMoveTargets, ({ ctx, input, lng }) => servers.listMoveTargets(ctx, input, lng)),
  bind(contract.quoteServerMove, ({ ctx, input }) => quoteMove(ctx.db, servers.moveOf(input))),
  bind(contract.moveServerAccounts, ({ ctx, input, ...mover }) =>
    moveAccounts(ctx, mover, contract.moveServerAccounts, input, servers.moveOf(input)),
  ),
  bind(contract.removeServer, ({ ctx, by, input }) => removeHost(ctx, by, servers.hostOf(input.serverUUID))),
]
