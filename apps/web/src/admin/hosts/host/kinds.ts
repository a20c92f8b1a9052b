import {
  type Answer,
  type Call,
  getHostFigures,
  getHostHealth,
  getHostKey,
  getHostMoveTargets,
  getHostRuns,
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
  /** How the calls of the kind name a host. */
  readonly target: (uuid: string) => Record<string, string>
  readonly one: Call
  readonly list: Call
  readonly log: Call<'admin', Shape, (typeof getServerLog)['output']>
  readonly provision: Call
  readonly setReady: Call
  /** Reads that a change of a host makes stale. */
  readonly stale: readonly Call[]
}

const hostReads = [getHostRuns, getHostHealth, getHostKey, getHostMoveTargets, getHostFigures]

/** The calls that spec.md and product.md name for each kind. All others name a host by its hostUUID. */
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
