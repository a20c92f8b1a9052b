import { xrayOutbound } from '../vpn-types/vpn-types.ts'
import { entriesOf, type FileFacts, nameOf, type SubscriptionAccount } from './links.ts'
import { autoName, directName, homeNetworks } from './proxy-name.ts'

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

/** The fastest one that works, looked at every ten seconds. */
const failover = (ways: readonly SubscriptionAccount[], { authority, checkUrl }: FileFacts) => ({
  outbounds: ways.map((way, index) => ({ tag: `way${index}`, ...outboundOf(way, authority) })),
  observatory: {
    subjectSelector: ['way'],
    probeURL: checkUrl,
    probeInterval: '10s',
    enableConcurrency: true,
  },
  routing: {
    balancers: [{ tag: 'proxy', selector: ['way'], strategy: { type: 'leastPing' }, fallbackTag: 'way0' }],
    rules: [
      { ip: homeNetworks, outboundTag: directName },
      { network: 'tcp,udp', balancerTag: 'proxy' },
    ],
  },
})

const outboundOf = (way: SubscriptionAccount, authority: string | null) =>
  xrayOutbound(way.accountVPNType, way, authority)

/** A list of whole configurations, one for each entry; before several ways one that chooses among them. */
export function xrayConfigs(ways: readonly SubscriptionAccount[], file: FileFacts): string {
  const configs = ways
    .flatMap(entriesOf)
    .map((entry) => configWith(nameOf(entry), outboundOf(entry, file.authority)))
  if (ways.length === 1) return toText(configs)
  const auto = failover(ways, file)
  const base = configWith(autoName, {})
  return toText([
    { ...base, ...auto, outbounds: [...auto.outbounds, ...base.outbounds.slice(1)] },
    ...configs,
  ])
}

/** Blocks all traffic. */
export const xrayNotice = (notice: string): string =>
  toText([{ ...configWith(notice, { protocol: 'blackhole' }), routing: { rules: [] } }])
