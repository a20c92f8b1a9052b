import {
  type Alpn,
  type Fingerprint,
  parseWholeNumber,
  type ServerType,
  serverDefaults,
  type TunnelType,
  usesTunnel,
  type VpnType,
  vpnCatalogue,
  vpnTypes,
} from '@kelid/contract'
import { latin } from '../../kit/parse-number.ts'

export const noServerAccess = {
  serverSSHPort: '',
  serverSSHUsername: '',
  serverSSHPassword: '',
  serverSSHKey: '',
  /** 'yes' or ''. */
  serverReplacePassword: '',
}

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
  serverRealityTarget: '',
  serverSite: '',
  /** 'yes' or ''. */
  serverObfuscated: '',
  serverHopPorts: '',
  serverQuota: '',
  serverQuotaDay: '1',
  ...noServerAccess,
}
export type ServerValues = typeof emptyServer

export const vpnTypesOf = (serverType: ServerType | ''): readonly VpnType[] =>
  vpnTypes.filter((type) => vpnCatalogue[type].serverType === serverType)

/** spec.md requires every field, even empty; fields beyond spec.md are sent only if set. */
export const serverBody = (
  {
    serverReplacePassword,
    serverSSHPort,
    serverFingerprint,
    serverAlpn,
    serverRealityTarget,
    serverSite,
    serverObfuscated,
    serverHopPorts,
    serverQuota,
    serverQuotaDay,
    ...values
  }: ServerValues,
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
  serverTunnelActive:
    values.serverVPNType !== '' && usesTunnel(values.serverVPNType, values.serverTunnelType),
  countryId: Number(values.countryId),
  serverExpireDate: latin(values.serverExpireDate),
  serverSSHUsername: values.serverSSHUsername.trim(),
  serverSNIAddress: values.serverSNIAddress.trim(),
  ...(serverSSHPort.trim() && { serverSSHPort: parseWholeNumber(serverSSHPort) }),
  ...(serverFingerprint && { serverFingerprint }),
  ...(serverAlpn && { serverAlpn }),
  ...(serverRealityTarget.trim() && { serverRealityTarget: serverRealityTarget.trim() }),
  ...(serverSite.trim() && { serverSite: serverSite.trim() }),
  ...(serverObfuscated && { serverObfuscated: true }),
  ...(serverHopPorts.trim() && { serverHopPorts: latin(serverHopPorts) }),
  ...(serverQuota.trim() && {
    serverQuota: parseWholeNumber(serverQuota),
    serverQuotaDay: Number(serverQuotaDay),
  }),
  ...(serverReplacePassword && values.serverSSHPassword && { serverReplacePassword: true }),
})
