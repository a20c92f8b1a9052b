import { type TunnelType, tunnelTypes, type VpnType, vpnCatalogue, vpnTypes } from '@kelid/contract'

export interface TypeChoice<Body = object> {
  readonly value: string
  readonly label: string
  readonly body: Body
}

export const typeInAddress = (type: string, tunnelType = ''): string =>
  tunnelType ? `${type}-${tunnelType}` : type

const serverTypeBody = (serverVPNType: VpnType, serverTunnelType?: TunnelType) => ({
  value: typeInAddress(serverVPNType, serverTunnelType),
  label: serverTunnelType ? `${serverVPNType} · ${serverTunnelType}` : serverVPNType,
  body: { serverVPNType, ...(serverTunnelType && { serverTunnelType }) },
})

export const serverTypeChoices = vpnTypes.flatMap((vpnType) => {
  const { tunnelTypes: behind } = vpnCatalogue[vpnType]
  return behind.length > 0 ? behind.map((type) => serverTypeBody(vpnType, type)) : serverTypeBody(vpnType)
})

export const tunnelTypeChoices = tunnelTypes.map((tunnelType) => ({
  value: typeInAddress(tunnelType),
  label: tunnelType,
  body: { tunnelType },
}))
