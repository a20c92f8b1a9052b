/** Server type -> VPN types -> tunnel types, as in spec.md section 4. */
export const tunnelTypes = ['wstunnel', 'ssh'] as const
export type TunnelType = (typeof tunnelTypes)[number]

export const vpnTypes = ['trojan', 'hysteria2-direct'] as const
export type VpnType = (typeof vpnTypes)[number]

export const serverTypes = ['xray', 'hysteria'] as const
export type ServerType = (typeof serverTypes)[number]

/**
 * A VPN type also has one entry in each of these: apps/api/src/features/vpn-types (links, subscription formats,
 * probe), apps/agent/src/vpn-types.ts (accounts in the core) and, for a protocol, transport or security that no other
 * type has, provisioning/vpn-types.yml.
 */
interface VpnTypeFacts {
  readonly serverType: ServerType
  /** Tunnels that customers connect through; empty if they connect directly. Tunnels forward TCP only. */
  readonly tunnelTypes: readonly TunnelType[]
  readonly protocol: string
  readonly transport: string
  readonly security: string
  /** The network that the firewall opens and the agent cuts. */
  readonly network: 'tcp' | 'udp'
}

export const vpnCatalogue: Record<VpnType, VpnTypeFacts> = {
  trojan: {
    serverType: 'xray',
    tunnelTypes,
    protocol: 'trojan',
    transport: 'tcp',
    security: 'tls',
    network: 'tcp',
  },
  'hysteria2-direct': {
    serverType: 'hysteria',
    tunnelTypes: [],
    protocol: 'hysteria',
    transport: 'hysteria',
    security: 'tls',
    network: 'udp',
  },
}

export const needsTunnel = (vpnType: VpnType): boolean => vpnCatalogue[vpnType].tunnelTypes.length > 0

export const isVpnType = (text: string): text is VpnType => Object.hasOwn(vpnCatalogue, text)

/** '' stands for "no tunnel" on the wire. */
export const fitsTunnel = (vpnType: VpnType, tunnelType: string): boolean =>
  needsTunnel(vpnType)
    ? vpnCatalogue[vpnType].tunnelTypes.some((type) => type === tunnelType)
    : tunnelType === ''
