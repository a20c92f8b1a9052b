import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { newRealityKeys } from '../hosts/reality.ts'
import { logOfHost, provisionHost } from '../hosts/runs.ts'
import { checkTarget } from './check-target.ts'
import * as servers from './servers.ts'

export const serversRoutes = [
  bind(contract.getServers, ({ ctx, input, lng }) => servers.listServers(ctx, input, lng)),
  bind(contract.getServer, ({ ctx, input, lng }) => servers.getServer(ctx, input.serverUUID, lng)),
  bind(contract.addServer, ({ ctx, by, input, lng }) => servers.addServer(ctx, by, input, lng)),
  bind(contract.changeServer, ({ ctx, by, input, lng }) => servers.changeServer(ctx, by, input, lng)),
  bind(contract.newRealityKeys, async ({ ctx, by, input, lng }) => {
    await newRealityKeys(ctx, by, input.serverUUID)
    return servers.getServer(ctx, input.serverUUID, lng)
  }),
  bind(contract.checkRealityTarget, ({ ctx, input }) => checkTarget(ctx, input)),
  bind(contract.provisionServer, ({ ctx, by, input }) =>
    provisionHost(ctx, by, servers.hostOf(input.serverUUID)),
  ),
  bind(contract.setServerReady, ({ ctx, by, input, lng }) => servers.setServerReady(ctx, by, input, lng)),
  bind(contract.getServerLog, ({ ctx, input }) =>
    logOfHost(ctx, servers.hostOf(input.serverUUID), input.runUUID),
  ),
]
