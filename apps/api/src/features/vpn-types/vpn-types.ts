import { type ClientHello, encodePart, type VpnType } from '@kelid/contract'
import type { Reality } from '../../db/schema.ts'
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
}

interface VpnTypeForms {
  /** Schemes of its links. The first one is ours; other programs write the rest. */
  readonly schemes: readonly [string, ...string[]]
  readonly link: (connection: Connection) => string
  /** An outbound of sing-box without its tag. `authority` is our CA in PEM if it issued the server's certificate. */
  readonly singBox: (connection: Connection, authority: string | null) => object
  readonly mihomo: (connection: Connection) => object
  readonly probe: Probe
}

const forms: Record<VpnType, VpnTypeForms> = {
  trojan: {
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
    schemes: ['vless'],
    link: ({ secret, address, port, serverName, hello, reality }) =>
      `vless://${secret}@${inUrl(address)}:${port}?type=tcp&security=reality&encryption=none&flow=${vision}` +
      `&pbk=${reality?.publicKey ?? ''}&sid=${reality?.shortId ?? ''}&sni=${encodePart(serverName)}` +
      `&fp=${hello.fingerprint}&spx=%2F`,
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
    mihomo: ({ secret, address, port, serverName, hello, reality }) => ({
      type: 'vless',
      server: address,
      port,
      uuid: secret,
      network: 'tcp',
      udp: true,
      tls: true,
      flow: vision,
      servername: serverName,
      'client-fingerprint': hello.fingerprint,
      'reality-opts': {
        'public-key': reality?.publicKey ?? '',
        'short-id': reality?.shortId ?? '',
        // What a browser sends today.
        'support-x25519mlkem768': true,
      },
    }),
    probe: realityProbe,
  },
  'hysteria2-direct': {
    schemes: ['hysteria2', 'hy2'],
    link: ({ secret, address, port, serverName, authorityFingerprint }) =>
      `hysteria2://${secret}@${inUrl(address)}:${port}/?sni=${encodePart(serverName)}&insecure=0` +
      linkPin('pinSHA256', authorityFingerprint),
    singBox: ({ secret, address, port, serverName }, authority) => ({
      type: 'hysteria2',
      server: address,
      server_port: port,
      password: secret,
      tls: { enabled: true, server_name: serverName, alpn: ['h3'], ...singBoxPin(authority) },
    }),
    mihomo: ({ secret, address, port, serverName, authorityFingerprint }) => ({
      type: 'hysteria2',
      server: address,
      port,
      password: secret,
      sni: serverName,
      alpn: ['h3'],
      'skip-cert-verify': false,
      ...mihomoPin(authorityFingerprint),
    }),
    probe: hysteriaProbe,
  },
}

const vision = 'xtls-rprx-vision'

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)
const linkAlpn = ({ alpn }: ClientHello) => (alpn === 'none' ? '' : `&alpn=${encodePart(alpn)}`)
const alpnOf = ({ alpn }: ClientHello) => (alpn === 'none' ? {} : { alpn: alpn.split(',') })

/** Apps that ignore the pin check the certificate as usual and refuse ours. */
const linkPin = (name: string, fingerprint: string | null): string =>
  fingerprint ? `&${name}=${fingerprint}` : ''
const singBoxPin = (authority: string | null) =>
  authority ? { certificate: authority.trim().split('\n') } : {}
const mihomoPin = (fingerprint: string | null) => (fingerprint ? { fingerprint } : {})

/** The database may contain a type of a newer version. */
export function formsOf(vpnType: VpnType): VpnTypeForms {
  if (!Object.hasOwn(forms, vpnType)) throw new Error(`This version does not know the VPN type "${vpnType}"`)
  return forms[vpnType]
}

export const linkSchemes: readonly string[] = Object.values(forms).flatMap(({ schemes }) => schemes)
