import { type ClientHello, encodePart, type VpnType } from '@kelid/contract'
import type { Reality } from '../../db/schema.ts'
import type { Quic } from '../hosts/quic.ts'
import { clientOutbound, hopSeconds, sharing } from './client-outbound.ts'
import type { Probe } from './finding.ts'
import { hysteriaProbe } from './probe-hysteria.ts'
import { realityProbe, tlsProbe } from './probe-tls.ts'

export { fetchThrough } from './fetch-through.ts'
export {
  clipDetail as bounded,
  type Finding,
  isTried,
  type Probe,
  type ProbeTools,
  type Target,
} from './finding.ts'
export { trusting } from './probe-tls.ts'

export interface Connection {
  /** A UUID: clients decode other characters than [0-9a-f-] differently. */
  secret: string
  address: string
  port: number
  serverName: string
  /** SHA-256 of our CA in hexadecimal if it issued the server's certificate; null if apps trust the issuer anyway. */
  authorityFingerprint: string | null
  /** Apps over QUIC ignore it. */
  hello: ClientHello
  reality: Reality | null
  quic: Quic
}

interface VpnTypeForms {
  /** Short, in the list of an app. */
  readonly label: string
  /** Schemes of its links. The first one is ours; other programs write the rest. */
  readonly schemes: readonly [string, ...string[]]
  readonly link: (connection: Connection) => string
  /**
   * An outbound of sing-box without its tag; null if it cannot connect in this way. `authority` is our CA in PEM if it
   * issued the server's certificate.
   */
  readonly singBox: ((connection: Connection, authority: string | null) => object) | null
  readonly mihomo: (connection: Connection) => object
  readonly probe: Probe
}

const forms: Record<VpnType, VpnTypeForms> = {
  trojan: {
    label: 'Trojan',
    schemes: ['trojan'],
    link: ({ secret, address, port, serverName, authorityFingerprint, hello }) =>
      `trojan://${secret}@${inUrl(address)}:${port}?security=tls&sni=${encodePart(serverName)}` +
      `&type=tcp&headerType=none${linkAlpn(hello)}&fp=${hello.fingerprint}&allowInsecure=0${linkPin('pcs', authorityFingerprint)}`,
    singBox: ({ secret, address, port, serverName, hello }, authority) => ({
      type: 'trojan',
      server: address,
      server_port: port,
      password: secret,
      tls: {
        enabled: true,
        server_name: serverName,
        ...alpnOf(hello),
        utls: { enabled: true, fingerprint: hello.fingerprint },
        ...singBoxPin(authority),
      },
    }),
    mihomo: ({ secret, address, port, serverName, authorityFingerprint, hello }) => ({
      type: 'trojan',
      server: address,
      port,
      password: secret,
      udp: true,
      sni: serverName,
      ...alpnOf(hello),
      'client-fingerprint': hello.fingerprint,
      'skip-cert-verify': false,
      ...mihomoPin(authorityFingerprint),
    }),
    probe: tlsProbe,
  },
  'vless-reality': {
    label: 'VLESS',
    schemes: ['vless'],
    link: (connection) =>
      `vless://${vlessPlace(connection)}?type=tcp&flow=${vision}${linkReality(connection)}`,
    singBox: ({ secret, address, port, serverName, hello, reality }) => ({
      type: 'vless',
      server: address,
      server_port: port,
      uuid: secret,
      flow: vision,
      tls: {
        enabled: true,
        server_name: serverName,
        utls: { enabled: true, fingerprint: hello.fingerprint },
        reality: { enabled: true, public_key: reality?.publicKey ?? '', short_id: reality?.shortId ?? '' },
      },
    }),
    mihomo: (connection) => ({ ...mihomoVless(connection), network: 'tcp', flow: vision }),
    probe: realityProbe,
  },
  'vless-xhttp': {
    label: 'XHTTP',
    schemes: ['vless'],
    // Without `xmux` apps open one connection for each request.
    link: (connection) =>
      `vless://${vlessPlace(connection)}?type=xhttp&path=%2F&mode=auto` +
      `&extra=${encodePart(JSON.stringify({ xmux: { maxConcurrency: sharing } }))}${linkReality(connection)}`,
    singBox: null,
    mihomo: (connection) => ({
      ...mihomoVless(connection),
      network: 'xhttp',
      'xhttp-opts': { path: '/', mode: 'auto', 'reuse-settings': { 'max-concurrency': sharing } },
    }),
    probe: realityProbe,
  },
  'hysteria2-direct': {
    label: 'Hysteria2',
    schemes: ['hysteria2', 'hy2'],
    link: ({ secret, address, port, serverName, authorityFingerprint, quic }) =>
      `hysteria2://${secret}@${inUrl(address)}:${port}/?sni=${encodePart(serverName)}&insecure=0` +
      linkPin('pinSHA256', authorityFingerprint) +
      (quic.obfuscation && `&obfs=salamander&obfs-password=${quic.obfuscation}`) +
      (quic.hopPorts && `&mport=${quic.hopPorts}`),
    singBox: ({ secret, address, port, serverName, quic }, authority) => ({
      type: 'hysteria2',
      server: address,
      ...(quic.hopPorts
        ? { server_ports: [quic.hopPorts.replace('-', ':')], hop_interval: `${hopSeconds}s` }
        : { server_port: port }),
      password: secret,
      ...(quic.obfuscation && { obfs: { type: 'salamander', password: quic.obfuscation } }),
      tls: { enabled: true, server_name: serverName, alpn: ['h3'], ...singBoxPin(authority) },
    }),
    mihomo: ({ secret, address, port, serverName, authorityFingerprint, quic }) => ({
      type: 'hysteria2',
      server: address,
      port,
      ...(quic.hopPorts && { ports: quic.hopPorts, 'hop-interval': hopSeconds }),
      password: secret,
      ...(quic.obfuscation && { obfs: 'salamander', 'obfs-password': quic.obfuscation }),
      sni: serverName,
      alpn: ['h3'],
      'skip-cert-verify': false,
      ...mihomoPin(authorityFingerprint),
    }),
    probe: hysteriaProbe,
  },
}

const vision = 'xtls-rprx-vision'

const vlessPlace = ({ secret, address, port }: Connection) => `${secret}@${inUrl(address)}:${port}`
const linkReality = ({ reality, serverName, hello }: Connection) =>
  `&security=reality&encryption=none&pbk=${reality?.publicKey ?? ''}&sid=${reality?.shortId ?? ''}` +
  `&sni=${encodePart(serverName)}&fp=${hello.fingerprint}&spx=%2F`

const mihomoVless = ({ secret, address, port, serverName, hello, reality }: Connection) => ({
  type: 'vless',
  server: address,
  port,
  uuid: secret,
  udp: true,
  tls: true,
  servername: serverName,
  'client-fingerprint': hello.fingerprint,
  'reality-opts': {
    'public-key': reality?.publicKey ?? '',
    'short-id': reality?.shortId ?? '',
    // What a browser sends today.
    'support-x25519mlkem768': true,
  },
})

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)
const linkAlpn = ({ alpn }: ClientHello) => (alpn === 'none' ? '' : `&alpn=${encodePart(alpn)}`)
const alpnOf = ({ alpn }: ClientHello) => (alpn === 'none' ? {} : { alpn: alpn.split(',') })

/** Apps that ignore the pin check the certificate as usual and refuse ours. */
const linkPin = (name: string, fingerprint: string | null): string =>
  fingerprint ? `&${name}=${fingerprint}` : ''
const singBoxPin = (authority: string | null) =>
  authority ? { certificate: authority.trim().split('\n') } : {}
const mihomoPin = (fingerprint: string | null) => (fingerprint ? { fingerprint } : {})

/** An outbound of Xray without its tag. `authority` is our CA in PEM if it issued the server's certificate. */
export const xrayOutbound = (
  vpnType: VpnType,
  { serverName: name, secret, ...connection }: Connection,
  authority: string | null,
): object =>
  clientOutbound(vpnType, { ...connection, name, authorities: authority ? [authority] : [] }, secret)

/** The database may contain a type of a newer version. */
export function formsOf(vpnType: VpnType): VpnTypeForms {
  if (!Object.hasOwn(forms, vpnType)) throw new Error(`This version does not know the VPN type "${vpnType}"`)
  return forms[vpnType]
}

export const linkSchemes: readonly string[] = Object.values(forms).flatMap(({ schemes }) => schemes)
