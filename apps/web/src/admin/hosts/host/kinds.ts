import {
  type Answer,
  type Call,
  getHostFigures,
  getHostHealth,
  getHostKey,
  getHostMoveTargets,
  getHostRuns,
  getMachine,
  getServer,
  getServerLog,
  getServers,
  getTunnel,
  getTunnelLog,
  getTunnels,
  type HostKind,
  provisionServer,
  provisionTunnel,
  type Shape,
  setServerReady,
  setTunnelReady,
} from '@kelid/contract'

export type Run = Answer<typeof getHostRuns>['items'][number]

interface KindOfHost {
  readonly target: (uuid: string) => Record<string, string>
  readonly one: Call
  readonly list: Call
  readonly log: Call<'admin', Shape, (typeof getServerLog)['output']>
  readonly provision: Call
  readonly setReady: Call
  readonly stale: readonly Call[]
}

const hostReads = [getHostRuns, getHostHealth, getHostKey, getHostMoveTargets, getHostFigures, getMachine]

/** Other calls name a host by its hostUUID. */
export const kinds: Record<HostKind, KindOfHost> = {
  server: {
    target: (serverUUID) => ({ serverUUID }),
    one: getServer,
    list: getServers,
    log: getServerLog,
    provision: provisionServer,
    setReady: setServerReady,
    stale: [getServers, getServer, ...hostReads],
  },
  tunnel: {
    target: (tunnelUUID) => ({ tunnelUUID }),
    one: getTunnel,
    list: getTunnels,
    log: getTunnelLog,
    provision: provisionTunnel,
    setReady: setTunnelReady,
    stale: [getTunnels, getTunnel, ...hostReads],
  },
}
