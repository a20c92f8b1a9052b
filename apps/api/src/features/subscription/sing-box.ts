import { formsOf } from '../vpn-types/vpn-types.ts'
import { entriesOf, type SubscriptionAccount } from './links.ts'
import { directName, groupName, proxyNameOf } from './proxy-name.ts'

const outboundOf = (account: SubscriptionAccount, authority: string | null) => ({
  tag: proxyNameOf(account),
  ...formsOf(account.accountVPNType).singBox(account, authority),
})

/** No local proxy port: other apps on the phone could use it to find out the exit's address. */
const tun = {
  type: 'tun',
  tag: 'tun-in',
  address: ['172.19.0.1/30', 'fdfe:dcba:9876::1/126'],
  auto_route: true,
  strict_route: true,
}

const direct = { type: 'direct', tag: directName }

/** The group is only there if there is a choice. */
function outboundsOf(account: SubscriptionAccount, authority: string | null) {
  const entries = entriesOf(account).map((entry) => outboundOf(entry, authority))
  const [first] = entries
  if (first && entries.length === 1) return { final: first.tag, outbounds: [first, direct] }
  const group = { type: 'selector', tag: groupName, outbounds: entries.map(({ tag }) => tag) }
  return { final: groupName, outbounds: [group, ...entries, direct] }
}

const connectedConfig = (account: SubscriptionAccount, authority: string | null) => {
  const { final, outbounds } = outboundsOf(account, authority)
  return {
    log: { level: 'warn' },
    dns: {
      servers: [
        { type: 'https', tag: 'remote', server: '1.1.1.1', detour: final },
        { type: 'local', tag: 'local' },
      ],
      final: 'remote',
      strategy: 'ipv4_only',
    },
    inbounds: [tun],
    outbounds,
    route: {
      rules: [
        { action: 'sniff' },
        { protocol: 'dns', action: 'hijack-dns' },
        { ip_is_private: true, action: 'route', outbound: directName },
      ],
      final,
      default_domain_resolver: 'local',
      auto_detect_interface: true,
    },
  }
}

/** Loads but blocks all traffic: unprotected traffic would look like a working VPN. */
const blockedConfig = {
  log: { level: 'warn' },
  inbounds: [tun],
  outbounds: [direct],
  route: { rules: [{ action: 'reject' }], final: directName, auto_detect_interface: true },
}

export const singBoxConfig = (account: SubscriptionAccount | null, authority: string | null): string =>
  `${JSON.stringify(account ? connectedConfig(account, authority) : blockedConfig, null, 2)}\n`
