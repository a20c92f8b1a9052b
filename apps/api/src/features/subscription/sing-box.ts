import { formsOf } from '../vpn-types/vpn-types.ts'
import { entriesOf, type FileFacts, type SubscriptionAccount } from './links.ts'
import { nowhere } from './notice.ts'
import { autoName, directName, groupName, proxyNameOf } from './proxy-name.ts'

function outboundOf(account: SubscriptionAccount, authority: string | null) {
  const outbound = formsOf(account.accountVPNType).singBox?.(account, authority)
  if (!outbound) throw new Error(`sing-box cannot connect by ${account.accountVPNType}`)
  return { tag: proxyNameOf(account), ...outbound }
}

/** No local proxy port: other apps on the phone could use it to find out the exit's address. */
const tun = {
  type: 'tun',
  tag: 'tun-in',
  address: ['172.19.0.1/30', 'fdfe:dcba:9876::1/126'],
  auto_route: true,
  strict_route: true,
}

const direct = { type: 'direct', tag: directName }

/**
 * Apps look every half minute whether the way works: sing-box leaves out every second look, because the one before is
 * younger than the interval by the time that the answer took. Another way must be clearly faster to be taken instead.
 */
const failover = (tags: readonly string[], url: string) => ({
  type: 'urltest',
  tag: autoName,
  outbounds: tags,
  url,
  interval: '15s',
  tolerance: 200,
  interrupt_exist_connections: true,
})

/** The groups are only there if there is a choice. */
function outboundsOf(ways: readonly SubscriptionAccount[], { authority, checkUrl }: FileFacts) {
  const entries = ways.flatMap(entriesOf).map((entry) => outboundOf(entry, authority))
  const [first] = entries
  if (first && entries.length === 1) return { final: first.tag, outbounds: [first, direct] }
  const tags = entries.map(({ tag }) => tag)
  const auto = ways.length > 1 ? [failover(tags, checkUrl)] : []
  const group = {
    type: 'selector',
    tag: groupName,
    outbounds: [...auto.map(({ tag }) => tag), ...tags],
  }
  return { final: groupName, outbounds: [group, ...auto, ...entries, direct] }
}

const connectedConfig = (ways: readonly SubscriptionAccount[], file: FileFacts) => {
  const { final, outbounds } = outboundsOf(ways, file)
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

/** Blocks all traffic: unprotected traffic would look like a working VPN. Apps show the group with its entry. */
const blockedConfig = (notice: string) => ({
  log: { level: 'warn' },
  inbounds: [tun],
  outbounds: [
    { type: 'selector', tag: groupName, outbounds: [notice] },
    { type: 'socks', tag: notice, server: nowhere.address, server_port: nowhere.port },
    direct,
  ],
  route: { rules: [{ action: 'reject' }], final: groupName, auto_detect_interface: true },
})

const toText = (config: object) => `${JSON.stringify(config, null, 2)}\n`

export const singBoxConfig = (ways: readonly SubscriptionAccount[], file: FileFacts): string =>
  toText(connectedConfig(ways, file))

export const singBoxNotice = (notice: string): string => toText(blockedConfig(notice))
