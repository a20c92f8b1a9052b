import { stringify } from 'yaml'
import { formsOf } from '../vpn-types/vpn-types.ts'
import { entriesOf, type FileFacts, type SubscriptionAccount } from './links.ts'
import { nowhere } from './notice.ts'
import { autoName, groupName, homeNetworks, proxyNameOf } from './proxy-name.ts'

const proxyOf = (account: SubscriptionAccount) => ({
  name: proxyNameOf(account),
  ...formsOf(account.accountVPNType).mihomo(account),
})

const isAtIpv6 = (proxy: object): boolean => 'server' in proxy && String(proxy.server).includes(':')

/** Names are always quoted: older YAML parsers misread names like "yes" or "012". */
const yaml = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 } as const

/** The first one that works, looked at every half minute and after two failures. */
const failover = (proxies: readonly string[], url: string) => ({
  ...{ name: autoName, type: 'fallback', proxies, url, interval: 30, timeout: 2000 },
  ...{ 'max-failed-times': 2, lazy: true },
})

function configWith(
  proxies: readonly { name: string }[],
  rules: readonly string[],
  checkUrl: string | null = null,
): string {
  const names = proxies.map(({ name }) => name)
  const auto = checkUrl === null ? [] : [failover(names, checkUrl)]
  return stringify(
    {
      'mixed-port': 7890,
      'allow-lan': false,
      mode: 'rule',
      'log-level': 'warning',
      // Otherwise mihomo refuses a proxy at an IPv6 address.
      ipv6: proxies.some(isAtIpv6),
      dns: {
        enable: true,
        ipv6: false,
        'enhanced-mode': 'fake-ip',
        // The part after '#' routes the query: names are resolved at the exit.
        nameserver: [`https://1.1.1.1/dns-query#${groupName}`],
      },
      proxies,
      'proxy-groups': [
        { name: groupName, type: 'select', proxies: [...auto.map(({ name }) => name), ...names] },
        ...auto,
      ],
      rules,
    },
    yaml,
  )
}

/** A config for mihomo and compatible apps. */
export const clashConfig = (ways: readonly SubscriptionAccount[], { checkUrl }: FileFacts): string =>
  configWith(
    ways.flatMap(entriesOf).map(proxyOf),
    [...homeNetworks.map((network) => `IP-CIDR,${network},DIRECT,no-resolve`), `MATCH,${groupName}`],
    ways.length > 1 ? checkUrl : null,
  )

const entryNowhere = (name: string) => ({
  name,
  type: 'socks5',
  server: nowhere.address,
  port: nowhere.port,
})

/** Blocks all traffic: DIRECT would send it unprotected while the app shows "connected". */
export const clashNotice = (notice: string): string => configWith([entryNowhere(notice)], ['MATCH,REJECT'])
