import * as z from 'zod/mini'
import { type VpnType, vpnCatalogue } from './vpn-catalogue.ts'

/** Types over TCP: their apps imitate a browser's TLS, which apps over QUIC cannot. */
export const helloTypes = ['trojan', 'vless-reality', 'vless-xhttp'] as const satisfies readonly VpnType[]
export type HelloType = (typeof helloTypes)[number]
export const hasHello = (vpnType: VpnType): vpnType is HelloType =>
  helloTypes.some((type) => type === vpnType)
/** With REALITY the fingerprint decides ALPN. */
export const hasAlpn = (vpnType: VpnType): boolean =>
  hasHello(vpnType) && vpnCatalogue[vpnType].security === 'tls'

/** Xray, sing-box and mihomo know all of these and start with every one; with any other, one of them fails. */
export const fingerprints = ['chrome', 'firefox', 'safari', 'ios', 'edge', 'qq', 'random'] as const
export type Fingerprint = (typeof fingerprints)[number]

/** `none` leaves ALPN to the fingerprint. */
export const alpns = ['h2,http/1.1', 'http/1.1', 'none'] as const
export type Alpn = (typeof alpns)[number]

/** What customers' apps show of themselves when they connect. */
export const clientHello = z.object({
  fingerprint: z.enum(fingerprints, 'choice'),
  alpn: z.enum(alpns, 'choice'),
})
export type ClientHello = z.output<typeof clientHello>

/** What current browsers send. `http/1.1` alone would be a fingerprint of its own. */
export const usualHello: ClientHello = { fingerprint: 'chrome', alpn: 'h2,http/1.1' }

/** A server's own choice; '' stands for the default in the settings. */
export const serverHello = {
  serverFingerprint: z.enum(['', ...fingerprints], 'choice'),
  serverAlpn: z.enum(['', ...alpns], 'choice'),
}
