/** What can be sold and run. Server type -> VPN types -> tunnel types, as spec.md section 4 has it. */
export const tunnelTypes = ['wstunnel', 'ssh'] as const
export type TunnelType = (typeof tunnelTypes)[number]

export const vpnTypes = ['trojan', 'hysteria2-direct'] as const
export type VpnType = (typeof vpnTypes)[number]

export const serverTypes = ['xray', 'hysteria'] as const
export type ServerType = (typeof serverTypes)[number]

/**
 * What every part of the product knows of a VPN type. The same type has one entry in each of these as well:
 * apps/api/src/features/vpn-types (links, subscription formats, probe), apps/agent/src/vpn-types.ts (accounts in the core)
 * and, for a protocol, transport or security that no other type has, provisioning/vpn-types.yml.
 */
interface VpnTypeFacts {
  readonly serverType: ServerType
  /** The tunnels that customers connect through; none: they connect to the server itself. Tunnels forward TCP only. */
  readonly tunnelTypes: readonly TunnelType[]
  /** The core's inbound, by the names in provisioning/vpn-types.yml. */
  readonly protocol: string
  readonly transport: string
  readonly security: string
  /** What the firewall opens and the agent cuts. */
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
