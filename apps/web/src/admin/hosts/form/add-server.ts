import {
  type Alpn,
  type Fingerprint,
  isVpnType,
  needsTunnel,
  parseWholeNumber,
  type ServerType,
  serverDefaults,
  type TunnelType,
  toLatinDigits,
  type VpnType,
  vpnCatalogue,
  vpnTypes,
} from '@kelid/contract'

export const emptyServer = {
  serverName: '',
  serverType: '' as ServerType | '',
  serverVersion: '',
  serverVPNType: '' as VpnType | '',
  serverVPNVersion: '',
  serverIPV4: '',
  serverURL: '',
  serverPort: '',
  serverMaxAccounts: '',
  serverTunnelType: '' as TunnelType | '',
  countryId: '0',
  ...serverDefaults,
  serverFingerprint: '' as Fingerprint | '',
  serverAlpn: '' as Alpn | '',
  serverSSHPort: '',
  /** 'yes' or ''. */
  serverReplacePassword: '',
}
export type ServerValues = typeof emptyServer

export const vpnTypesOf = (serverType: ServerType | ''): readonly VpnType[] =>
  vpnTypes.filter((type) => vpnCatalogue[type].serverType === serverType)

/** Accepts Persian digits in addresses, versions and ports. */
export const latin = (text: string): string => toLatinDigits(text.trim())

/** spec.md requires every field, even empty; fields beyond spec.md are sent only if set. */
export const serverBody = (
  { serverReplacePassword, serverSSHPort, serverFingerprint, serverAlpn, ...values }: ServerValues,
  serverUUID: string,
) => ({
  ...values,
  serverUUID,
  serverName: values.serverName.trim(),
  serverVersion: latin(values.serverVersion),
  serverVPNVersion: latin(values.serverVPNVersion),
  serverIPV4: latin(values.serverIPV4),
  serverIPV6: latin(values.serverIPV6),
  serverURL: values.serverURL.trim(),
  serverPort: parseWholeNumber(values.serverPort),
  serverMaxAccounts: parseWholeNumber(values.serverMaxAccounts),
  serverTunnelActive: isVpnType(values.serverVPNType) && needsTunnel(values.serverVPNType),
  countryId: Number(values.countryId),
  serverExpireDate: latin(values.serverExpireDate),
  serverSSHUsername: values.serverSSHUsername.trim(),
  serverSNIAddress: values.serverSNIAddress.trim(),
  ...(serverSSHPort.trim() && { serverSSHPort: parseWholeNumber(serverSSHPort) }),
  ...(serverFingerprint && { serverFingerprint }),
  ...(serverAlpn && { serverAlpn }),
  ...(serverReplacePassword && values.serverSSHPassword && { serverReplacePassword: true }),
})
