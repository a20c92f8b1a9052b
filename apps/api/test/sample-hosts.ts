import { type TunnelType, tunnelChoices, type VpnType, vpnCatalogue } from '@kelid/contract'

let addresses = 0
/** Of the range for benchmarks, so that nobody has it. */
export function unusedAddress(): string {
  addresses += 1
  return `198.18.${addresses >> 8}.${addresses & 255}`
}

/** A hysteria2-direct server, which needs no tunnel. Every sample has an address of its own, because hosts share none. */
export const sampleServer = () =>
  ({
    serverName: 'fra-1',
    serverType: 'hysteria',
    serverVersion: '1.0',
    serverVPNType: 'hysteria2-direct',
    serverVPNVersion: '2.6',
    serverIPV4: unusedAddress(),
    serverURL: 'fra1.example.com',
    serverPort: 8443,
    serverMaxAccounts: 100,
    serverTunnelActive: false,
    serverTunnelType: '',
    countryId: 276,
  }) as const

/** What makes the sample server one that serves trojan behind a wstunnel. */
export const trojanServer = () =>
  ({
    serverName: 'ams-1',
    serverType: 'xray',
    serverVPNType: 'trojan',
    serverIPV4: unusedAddress(),
    serverURL: `ams${unusedAddress().replaceAll('.', '-')}.example.com`,
    serverTunnelActive: true,
    serverTunnelType: 'wstunnel',
    countryId: 528,
  }) as const

/** A server and an account of any VPN type, behind a tunnel if it needs one. */
export function sampleOf(vpnType: VpnType) {
  const { serverType } = vpnCatalogue[vpnType]
  const tunnelType: TunnelType | '' = tunnelChoices(vpnType)[0] ?? ''
  const server = {
    ...sampleServer(),
    serverType,
    serverVPNType: vpnType,
    serverURL: trojanServer().serverURL,
    serverTunnelActive: tunnelType !== '',
    serverTunnelType: tunnelType,
  }
  const account = {
    ...directAccount,
    accountVPNType: vpnType,
    accountTunnelEnabled: tunnelType !== '',
    accountTunnelType: tunnelType,
  }
  return { server, account }
}

export const sampleTunnel = () =>
  ({
    tunnelName: 'thr-1',
    tunnelVersion: '1.0',
    tunnelType: 'wstunnel',
    tunnelCreatorEmail: 'owner@example.com',
    tunnelIPV4: unusedAddress(),
    tunnelURL: 'thr1.example.com',
    tunnelPort: 443,
    tunnelMaxAccounts: 100,
  }) as const

export const directAccount = {
  accountName: 'ali_phone',
  accountVPNType: 'hysteria2-direct',
  accountTunnelEnabled: false,
  accountTunnelType: '',
  accountDuration: 30,
} as const

export const tunnelledAccount = {
  accountName: 'sara_home',
  accountVPNType: 'trojan',
  accountTunnelEnabled: true,
  accountTunnelType: 'wstunnel',
  accountDuration: 30,
} as const

/** 30 days and 50 GB of the VPN type of the sample server, for every reseller. */
export const samplePlan = {
  planNames: { en: 'One month', fa: 'یک‌ماهه' },
  planWays: [{ accountVPNType: 'hysteria2-direct' as VpnType, accountTunnelType: '' as const, countryId: 0 }],
  accountDuration: 30,
  accountDataLimit: 50,
  accountDataReset: 'none' as const,
  accountStart: 'now' as const,
  planPoints: 120,
  planTunnelCredit: 0,
  planForAll: true,
  planResellers: [] as string[],
}
