import type { VpnType } from '@kelid/contract'
import type { Target } from './finding.ts'

type Outbound = (target: Omit<Target, 'authorities'>, trusted: object[], secret: string) => object

const tls = (serverName: string, alpn: string, certificates: object[]) => ({
  security: 'tls',
  tlsSettings: { serverName, alpn: [alpn], certificates },
})

const reality = ({ name, reality }: Pick<Target, 'name' | 'reality'>) => ({
  security: 'reality',
  realitySettings: { serverName: name, fingerprint: 'chrome', ...reality },
})

const outbounds: Record<VpnType, Outbound> = {
  trojan: ({ address, port, name }, trusted, secret) => ({
    protocol: 'trojan',
    settings: { servers: [{ address, port, password: secret }] },
    streamSettings: { network: 'raw', ...tls(name, 'http/1.1', trusted) },
  }),
  'vless-reality': ({ address, port, ...target }, _, id) => ({
    protocol: 'vless',
    settings: {
      vnext: [{ address, port, users: [{ id, encryption: 'none', flow: 'xtls-rprx-vision' }] }],
    },
    streamSettings: { network: 'raw', ...reality(target) },
  }),
  'vless-xhttp': ({ address, port, ...target }, _, id) => ({
    protocol: 'vless',
    settings: { vnext: [{ address, port, users: [{ id, encryption: 'none' }] }] },
    streamSettings: { network: 'xhttp', xhttpSettings: { path: '/', mode: 'auto' }, ...reality(target) },
  }),
  'hysteria2-direct': ({ address, port, name }, trusted, secret) => ({
    protocol: 'hysteria',
    settings: { version: 2, address, port },
    streamSettings: {
      network: 'hysteria',
      ...tls(name, 'h3', trusted),
      hysteriaSettings: { version: 2, auth: secret },
    },
  }),
}

/** An outbound of the core that connects as a customer's app does. */
export const clientOutbound = (
  vpnType: VpnType,
  { authorities, ...target }: Target,
  secret: string,
): object =>
  outbounds[vpnType](
    target,
    authorities.map((pem) => ({ usage: 'verify', certificate: pem.trim().split('\n') })),
    secret,
  )
