/** Server type -> VPN types -> tunnel types, as in spec.md section 4. */
export const tunnelTypes = ['wstunnel', 'ssh'] as const
export type TunnelType = (typeof tunnelTypes)[number]

export const vpnTypes = ['trojan', 'vless-reality', 'vless-xhttp', 'hysteria2-direct'] as const
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
  /** Whether customers may connect to the server itself. */
  readonly isDirect: boolean
  /** Tunnels that customers may connect through. Tunnels forward TCP only. */
  readonly tunnelTypes: readonly TunnelType[]
  readonly protocol: string
  readonly transport: string
  readonly security: 'tls' | 'reality'
  /** The network that the firewall opens and the agent cuts. */
  readonly network: 'tcp' | 'udp'
}

export const vpnCatalogue: Record<VpnType, VpnTypeFacts> = {
  trojan: {
    serverType: 'xray',
    isDirect: false,
    tunnelTypes,
    protocol: 'trojan',
    transport: 'tcp',
    security: 'tls',
    network: 'tcp',
  },
  'vless-reality': {
    serverType: 'xray',
    isDirect: true,
    tunnelTypes,
    protocol: 'vless',
    transport: 'tcp',
    security: 'reality',
    network: 'tcp',
  },
  'vless-xhttp': {
    serverType: 'xray',
    isDirect: true,
    tunnelTypes,
    protocol: 'vless',
    transport: 'xhttp',
    security: 'reality',
    network: 'tcp',
  },
  'hysteria2-direct': {
    serverType: 'hysteria',
    isDirect: true,
    tunnelTypes: [],
    protocol: 'hysteria',
    transport: 'hysteria',
    security: 'tls',
    network: 'udp',
  },
}

export const needsTunnel = (vpnType: VpnType): boolean => !vpnCatalogue[vpnType].isDirect
export const mayUseTunnel = (vpnType: VpnType): boolean => vpnCatalogue[vpnType].tunnelTypes.length > 0

/** Apps over QUIC have no ClientHello to imitate, but may be obfuscated and change ports. */
export const isQuic = (vpnType: VpnType): boolean => vpnCatalogue[vpnType].network === 'udp'

export const hasReality = (vpnType: VpnType): boolean => vpnCatalogue[vpnType].security === 'reality'

/** For so long customers may take to fetch new keys. */
export const realityOverlapDays = 30

export const isVpnType = (text: string): text is VpnType => Object.hasOwn(vpnCatalogue, text)

/** What `…TunnelEnabled` and `…TunnelActive` have to say. */
export const usesTunnel = (vpnType: VpnType, tunnelType: string): boolean =>
  mayUseTunnel(vpnType) && (needsTunnel(vpnType) || tunnelType !== '')

/** '' stands for "no tunnel" on the wire. */
export const fitsTunnel = (vpnType: VpnType, tunnelType: string): boolean =>
  tunnelType === ''
    ? vpnCatalogue[vpnType].isDirect
    : vpnCatalogue[vpnType].tunnelTypes.some((type) => type === tunnelType)

/** The tunnel types that accounts and servers of this type can have; '' is none. */
export const tunnelChoices = (vpnType: VpnType): readonly (TunnelType | '')[] => {
  const { isDirect, tunnelTypes: behind } = vpnCatalogue[vpnType]
  return [...(isDirect ? ['' as const] : []), ...behind]
}
