import type { VpnType } from '@kelid/contract'
import { stringify } from 'yaml'
import type { SubscriptionAccount } from './links.ts'
import { groupName, proxyNameOf } from './proxy-name.ts'

/** A certificate of that authority is taken, and no other. */
const pin = ({ authorityFingerprint }: SubscriptionAccount) =>
  authorityFingerprint ? { fingerprint: authorityFingerprint } : {}

const proxies: Record<VpnType, (account: SubscriptionAccount) => object> = {
  trojan: (account) => ({
    name: proxyNameOf(account),
    type: 'trojan',
    server: account.address,
    port: account.port,
    password: account.secret,
    udp: true,
    sni: account.serverName,
    alpn: ['http/1.1'],
    'client-fingerprint': 'chrome',
    'skip-cert-verify': false,
    ...pin(account),
  }),
  'hysteria2-direct': (account) => ({
    name: proxyNameOf(account),
    type: 'hysteria2',
    server: account.address,
    port: account.port,
    password: account.secret,
    sni: account.serverName,
    alpn: ['h3'],
    'skip-cert-verify': false,
    ...pin(account),
  }),
}

const homeNetworks = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

/**
 * A config for mihomo and the apps around it. Without an account the group holds REJECT only: a group may not be
 * empty, and DIRECT would let traffic out unprotected while the app says "connected".
 */
export const clashConfig = (account: SubscriptionAccount | null): string =>
  stringify(
    {
      'mixed-port': 7890,
      'allow-lan': false,
      mode: 'rule',
      'log-level': 'warning',
      ipv6: false,
      dns: {
        enable: true,
        ipv6: false,
        'enhanced-mode': 'fake-ip',
        // After the '#' the way the query takes: names are looked up at the far end.
        nameserver: [`https://1.1.1.1/dns-query#${groupName}`],
      },
      proxies: account ? [proxies[account.accountVPNType](account)] : [],
      'proxy-groups': [
        { name: groupName, type: 'select', proxies: [account ? proxyNameOf(account) : 'REJECT'] },
      ],
      rules: [...homeNetworks.map((network) => `IP-CIDR,${network},DIRECT,no-resolve`), `MATCH,${groupName}`],
    },
    // Quoted always: a name like "yes" or "012" is read as something else by older YAML parsers.
    { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 },
  )
