import { stringify } from 'yaml'
import { formsOf } from '../vpn-types/vpn-types.ts'
import { entriesOf, type SubscriptionAccount } from './links.ts'
import { nowhere } from './notice.ts'
import { groupName, homeNetworks, proxyNameOf } from './proxy-name.ts'

const proxyOf = (account: SubscriptionAccount) => ({
  name: proxyNameOf(account),
  ...formsOf(account.accountVPNType).mihomo(account),
})

/** Names are always quoted: older YAML parsers misread names like "yes" or "012". */
const yaml = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 } as const

const configWith = (proxies: readonly { name: string }[], rules: readonly string[]): string =>
  stringify(
    {
      'mixed-port': 7890,
      'allow-lan': false,
      mode: 'rule',
      'log-level': 'warning',
      // Otherwise mihomo refuses a proxy at an IPv6 address.
      ipv6: proxies.length > 1,
      dns: {
        enable: true,
        ipv6: false,
        'enhanced-mode': 'fake-ip',
        // The part after '#' routes the query: names are resolved at the exit.
        nameserver: [`https://1.1.1.1/dns-query#${groupName}`],
      },
      proxies,
      'proxy-groups': [{ name: groupName, type: 'select', proxies: proxies.map(({ name }) => name) }],
      rules,
    },
    yaml,
  )

/** A config for mihomo and compatible apps. */
export const clashConfig = (account: SubscriptionAccount): string =>
  configWith(entriesOf(account).map(proxyOf), [
    ...homeNetworks.map((network) => `IP-CIDR,${network},DIRECT,no-resolve`),
    `MATCH,${groupName}`,
  ])

const entryNowhere = (name: string) => ({
  name,
  type: 'socks5',
  server: nowhere.address,
  port: nowhere.port,
})

/** Blocks all traffic: DIRECT would send it unprotected while the app shows "connected". */
export const clashNotice = (notice: string): string => configWith([entryNowhere(notice)], ['MATCH,REJECT'])
