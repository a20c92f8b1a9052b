import { stringify } from 'yaml'
import { formsOf } from '../vpn-types/vpn-types.ts'
import { entriesOf, type SubscriptionAccount } from './links.ts'
import { groupName, proxyNameOf } from './proxy-name.ts'

const proxyOf = (account: SubscriptionAccount) => ({
  name: proxyNameOf(account),
  ...formsOf(account.accountVPNType).mihomo(account),
})

const homeNetworks = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

/**
 * A config for mihomo and compatible apps. Without an account the group contains only REJECT: a group must not be
 * empty, and DIRECT would send traffic unprotected while the app shows "connected".
 */
export const clashConfig = (account: SubscriptionAccount | null): string => {
  const proxies = account ? entriesOf(account).map(proxyOf) : []
  const names = account ? proxies.map(({ name }) => name) : ['REJECT']
  return stringify(
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
      'proxy-groups': [{ name: groupName, type: 'select', proxies: names }],
      rules: [...homeNetworks.map((network) => `IP-CIDR,${network},DIRECT,no-resolve`), `MATCH,${groupName}`],
    },
    // Always quoted: older YAML parsers misread names like "yes" or "012".
    { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 },
  )
}
