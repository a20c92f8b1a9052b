import type {
  Answer,
  getServer,
  getServers,
  getTunnel,
  HostHealth,
  HostKind,
  HostState,
} from '@kelid/contract'

export type Server = Answer<typeof getServer>
export type Tunnel = Answer<typeof getTunnel>

export interface Host {
  readonly kind: HostKind
  readonly uuid: string
  readonly name: string
  readonly ipv4: string
  readonly url: string
  readonly port: number
  readonly accounts: number
  readonly maxAccounts: number
  readonly state: HostState
  readonly isPaused: boolean
  readonly health: HostHealth
  readonly lastSeenDate: string | null
  readonly createdDate: string
  readonly quota: number
  readonly quotaMonth: Server['serverQuotaMonth']
}

/** A server that implements only spec.md sends the UUID, the address and the type. */
export type ListedServer = Answer<typeof getServers>['items'][number]

export type ListedHost = Pick<Host, 'uuid' | 'name' | 'url'> & {
  readonly [Known in 'state' | 'isPaused' | 'health' | 'accounts' | 'maxAccounts']: Host[Known] | undefined
}

export const hostOfListed = (server: ListedServer): ListedHost => ({
  uuid: server.serverUUID,
  name: server.serverName ?? server.serverURL,
  url: server.serverURL,
  state: server.serverState,
  isPaused: server.serverPaused,
  health: server.serverHealth,
  accounts: server.serverAccounts,
  maxAccounts: server.serverMaxAccounts,
})

export const hostOfServer = (server: Server): Host => ({
  kind: 'server',
  uuid: server.serverUUID,
  name: server.serverName,
  ipv4: server.serverIPV4,
  url: server.serverURL,
  port: server.serverPort,
  accounts: server.serverAccounts,
  maxAccounts: server.serverMaxAccounts,
  state: server.serverState,
  isPaused: server.serverPaused,
  health: server.serverHealth,
  lastSeenDate: server.serverLastSeenDate,
  createdDate: server.serverCreatedDate,
  quota: server.serverQuota,
  quotaMonth: server.serverQuotaMonth,
})

export const hostOfTunnel = (tunnel: Tunnel): Host => ({
  kind: 'tunnel',
  uuid: tunnel.tunnelUUID,
  name: tunnel.tunnelName,
  ipv4: tunnel.tunnelIPV4,
  url: tunnel.tunnelURL,
  port: tunnel.tunnelPort,
  accounts: tunnel.tunnelAccounts,
  maxAccounts: tunnel.tunnelMaxAccounts,
  state: tunnel.tunnelState,
  isPaused: tunnel.tunnelPaused,
  health: tunnel.tunnelHealth,
  lastSeenDate: tunnel.tunnelLastSeenDate,
  createdDate: tunnel.tunnelCreatedDate,
  quota: tunnel.tunnelQuota,
  quotaMonth: tunnel.tunnelQuotaMonth,
})

export const isBeingSetUp = ({ state }: Pick<Host, 'state'>): boolean =>
  state === 'queued' || state === 'provisioning'
