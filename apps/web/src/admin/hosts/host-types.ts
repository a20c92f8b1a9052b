import { type TunnelType, tunnelChoices, tunnelTypes, type VpnType, vpnTypes } from '@kelid/contract'

export interface TypeChoice<Body = object> {
  readonly value: string
  readonly label: string
  readonly body: Body
}

export const typeInAddress = (type: string, tunnelType = ''): string =>
  tunnelType ? `${type}-${tunnelType}` : type

const serverTypeBody = (serverVPNType: VpnType, serverTunnelType: TunnelType | '') => ({
  value: typeInAddress(serverVPNType, serverTunnelType),
  label: serverTunnelType ? `${serverVPNType} · ${serverTunnelType}` : serverVPNType,
  body: { serverVPNType, serverTunnelType },
})

export const serverTypeChoices = vpnTypes.flatMap((vpnType) =>
  tunnelChoices(vpnType).map((tunnelType) => serverTypeBody(vpnType, tunnelType)),
)

export const tunnelTypeChoices = tunnelTypes.map((tunnelType) => ({
  value: typeInAddress(tunnelType),
  label: tunnelType,
  body: { tunnelType },
}))
