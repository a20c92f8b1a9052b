/** What can be sold and run. Server type -> VPN types -> tunnel types, as spec.md section 4 has it. */
export const tunnelTypes = ['wstunnel', 'ssh'] as const
export type TunnelType = (typeof tunnelTypes)[number]

export const vpnTypes = ['trojan', 'hysteria2-direct'] as const
export type VpnType = (typeof vpnTypes)[number]

export const serverTypes = ['xray', 'hysteria'] as const
export type ServerType = (typeof serverTypes)[number]

export const vpnCatalogue: Record<VpnType, { serverType: ServerType; tunnelTypes: readonly TunnelType[] }> = {
  trojan: { serverType: 'xray', tunnelTypes },
  'hysteria2-direct': { serverType: 'hysteria', tunnelTypes: [] },
}

export const needsTunnel = (vpnType: VpnType): boolean => vpnCatalogue[vpnType].tunnelTypes.length > 0

export const isVpnType = (text: string): text is VpnType => Object.hasOwn(vpnCatalogue, text)

/** '' stands for "no tunnel" on the wire. */
export const fitsTunnel = (vpnType: VpnType, tunnelType: string): boolean =>
  needsTunnel(vpnType)
    ? vpnCatalogue[vpnType].tunnelTypes.some((type) => type === tunnelType)
    : tunnelType === ''
