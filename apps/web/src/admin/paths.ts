import type { HostKind } from '@kelid/contract'

const management = '/admin/management/'
const vpn = '/admin/vpn/'

export const adminPaths = {
  home: '/admin/',
  management,
  dashboard: `${management}dashboard/`,
  managedServers: `${management}servers/`,
  managedTunnels: `${management}tunnels/`,
  tunnelCredit: `${management}tunnel-credit/`,
  debt: `${management}debt/`,
  credit: `${management}credit/`,
  ledger: `${management}ledger/`,
  people: `${management}people/`,
  person: `${management}people/:userEmail/`,
  accounts: `${management}accounts/`,
  account: `${management}accounts/:accountUUID/`,
  data: `${management}data/`,
  prices: `${management}prices/`,
  plans: `${management}plans/`,
  network: `${management}network/`,
  upgrades: `${management}upgrades/`,
  compensations: `${management}compensations/`,
  audit: `${management}audit/`,
  security: `${management}security/`,
  vpn,
  servers: `${vpn}servers/`,
  addServer: `${vpn}servers/add/`,
  server: `${vpn}server/:serverUUID/`,
  changeServer: `${vpn}server/change/:serverUUID`,
  tunnels: `${vpn}tunnels/`,
  addTunnel: `${vpn}tunnels/add/`,
  tunnel: `${vpn}tunnel/:tunnelUUID/`,
  changeTunnel: `${vpn}tunnels/change/:tunnelUUID`,
  machine: `${vpn}machine/:machineIPV4/`,
} as const

export const personPath = (userEmail: string): string => fill(adminPaths.person, userEmail)
export const adminAccountPath = (accountUUID: string): string => fill(adminPaths.account, accountUUID)
export const serverPath = (serverUUID: string): string => fill(adminPaths.server, serverUUID)
export const changeServerPath = (serverUUID: string): string => fill(adminPaths.changeServer, serverUUID)
export const tunnelPath = (tunnelUUID: string): string => fill(adminPaths.tunnel, tunnelUUID)
export const changeTunnelPath = (tunnelUUID: string): string => fill(adminPaths.changeTunnel, tunnelUUID)
export const machinePath = (address: string): string => fill(adminPaths.machine, address)
export const addServerAt = (address: string): string => `${adminPaths.addServer}?at=${address}`
export const addTunnelAt = (address: string): string => `${adminPaths.addTunnel}?at=${address}`
export const compensatePath = (host: { serverUUID: string } | { tunnelUUID: string }): string =>
  `${adminPaths.compensations}?${new URLSearchParams(host)}`
/** Opens the dialog that replaces the host. */
export const replaceParameter = { act: 'replace' } as const
export const replacePath = (kind: HostKind, uuid: string): string =>
  `${kind === 'server' ? serverPath(uuid) : tunnelPath(uuid)}?${new URLSearchParams(replaceParameter)}`

function fill(path: `${string}:${string}`, value: string): string {
  return path.replace(/:\w+/, encodeURIComponent(value))
}
