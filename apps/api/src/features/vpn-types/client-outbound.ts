import type { VpnType } from '@kelid/contract'
import type { Target } from './finding.ts'

type Outbound = (target: Omit<Target, 'authorities'>, trusted: object[], secret: string) => object

const alpnOf = (hello: Target['hello']) => {
  if (!hello) return { alpn: ['http/1.1'] }
  return hello.alpn === 'none' ? {} : { alpn: hello.alpn.split(',') }
}

const reality = ({ name, reality, hello }: Pick<Target, 'name' | 'reality' | 'hello'>) => ({
  security: 'reality',
  realitySettings: { serverName: name, fingerprint: hello?.fingerprint ?? 'chrome', ...reality },
})

const vless = ({ address, port }: Pick<Target, 'address' | 'port'>, id: string, flow: object) => ({
  protocol: 'vless',
  settings: { vnext: [{ address, port, users: [{ id, encryption: 'none', ...flow }] }] },
})

/** The core stops if there are ports without an interval. */
const hops = (ports: string) => ({ quicParams: { udpHop: { ports, interval: hopSeconds } } })

const outbounds: Record<VpnType, Outbound> = {
  trojan: ({ address, port, name, hello }, certificates, password) => ({
    protocol: 'trojan',
    settings: { servers: [{ address, port, password }] },
    streamSettings: {
      network: 'raw',
      security: 'tls',
      tlsSettings: {
        ...{ serverName: name, ...alpnOf(hello), certificates },
        ...(hello && { fingerprint: hello.fingerprint }),
      },
    },
  }),
  'vless-reality': (target, _, id) => ({
    ...vless(target, id, { flow: 'xtls-rprx-vision' }),
    streamSettings: { network: 'raw', ...reality(target) },
  }),
  'vless-xhttp': (target, _, id) => ({
    ...vless(target, id, {}),
    streamSettings: { network: 'xhttp', xhttpSettings: xhttp, ...reality(target) },
  }),
  'hysteria2-direct': ({ address, port, name, quic }, certificates, auth) => ({
    protocol: 'hysteria',
    settings: { version: 2, address, port },
    streamSettings: {
      network: 'hysteria',
      security: 'tls',
      tlsSettings: { serverName: name, alpn: ['h3'], certificates },
      hysteriaSettings: { version: 2, auth },
      ...((quic?.obfuscation || quic?.hopPorts) && {
        finalmask: {
          ...(quic.obfuscation && {
            udp: [{ type: 'salamander', settings: { password: quic.obfuscation } }],
          }),
          ...(quic.hopPorts && hops(quic.hopPorts)),
        },
      }),
    },
  }),
}

/** How many requests share a connection; without it apps open one for each. */
export const sharing = '16-32'
/** How long an app stays at one of several ports. */
export const hopSeconds = 30

const xhttp = { path: '/', mode: 'auto', extra: { xmux: { maxConcurrency: sharing } } }

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
