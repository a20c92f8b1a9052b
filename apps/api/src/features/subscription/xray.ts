import { xrayOutbound } from '../vpn-types/vpn-types.ts'
import { entriesOf, nameOf, type SubscriptionAccount } from './links.ts'
import { directName, homeNetworks } from './proxy-name.ts'

/** Where apps of Xray expect it. */
const inbound = {
  tag: 'socks',
  protocol: 'socks',
  listen: '127.0.0.1',
  port: 10808,
  settings: { udp: true },
  sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'] },
}

const configWith = (remarks: string, outbound: object) => ({
  remarks,
  log: { loglevel: 'warning' },
  dns: { servers: ['https://1.1.1.1/dns-query'] },
  inbounds: [inbound],
  outbounds: [
    { tag: 'proxy', ...outbound },
    { tag: directName, protocol: 'freedom' },
  ],
  routing: { rules: [{ ip: homeNetworks, outboundTag: directName }] },
})

const toText = (configs: readonly object[]) => `${JSON.stringify(configs, null, 2)}\n`

/** A list of whole configurations, one for each entry. */
export const xrayConfigs = (account: SubscriptionAccount, authority: string | null): string =>
  toText(
    entriesOf(account).map((entry) =>
      configWith(nameOf(entry), xrayOutbound(entry.accountVPNType, entry, authority)),
    ),
  )

/** Blocks all traffic. */
export const xrayNotice = (notice: string): string =>
  toText([{ ...configWith(notice, { protocol: 'blackhole' }), routing: { rules: [] } }])
