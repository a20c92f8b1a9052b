import {
  connect,
  createSecureContext,
  type PeerCertificate,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { clipDetail, type Finding, type Probe, type Target } from './finding.ts'

const timeoutMs = 5_000

const outcomes: Readonly<Record<string, Finding['outcome']>> = {
  ECONNREFUSED: 'REFUSED',
  ETIMEDOUT: 'TIMEOUT',
  EHOSTUNREACH: 'TIMEOUT',
  ENETUNREACH: 'TIMEOUT',
}

/** Loading the public CAs takes tens of milliseconds, so one context serves many handshakes. */
export const trusting = (authorities: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...rootCertificates, ...authorities] })

/** A complete TLS handshake without data, as at the start of a customer's connection. */
export const tlsProbe: Probe = {
  maxParallel: 32,
  run: (target, { trusted }) => shakeHands(target, trusted),
}

/** Strangers see the target's certificate; customers do not check it. */
export const realityProbe: Probe = {
  maxParallel: 32,
  run: async (target, { trusted }) => {
    const { certificate: _, ...finding } = await shakeHands(target, trusted)
    return finding.outcome === 'CERTIFICATE' ? { outcome: 'ANSWERED', detail: '' } : finding
  },
}

const shakeHands = (
  { address, port, name }: Omit<Target, 'authorities'>,
  secureContext: SecureContext,
): Promise<Finding> =>
  new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      servername: name,
      ALPNProtocols: ['http/1.1'],
      // The certificate is checked after the handshake, to distinguish an untrusted one from a failed handshake.
      rejectUnauthorized: false,
      secureContext,
    })
    const tooLate = setTimeout(() => end({ outcome: 'TIMEOUT', detail: '' }), timeoutMs)
    const end = (finding: Finding) => {
      clearTimeout(tooLate)
      socket.destroy()
      resolve(finding)
    }
    socket.once('secureConnect', () => end(judge(socket)))
    socket.once('close', () => end({ outcome: 'NO_HANDSHAKE', detail: '' }))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error
      end({ outcome: outcomes[code] ?? 'NO_HANDSHAKE', detail: clipDetail(code || error.message) })
    })
  })

function judge(socket: TLSSocket): Finding {
  const certificate = certificateOf(socket.getPeerCertificate())
  if (socket.authorized) return { outcome: 'ANSWERED', detail: '', ...(certificate && { certificate }) }
  // Its type is Error, but the value is the error's code.
  const detail = clipDetail(String(socket.authorizationError))
  return { outcome: 'CERTIFICATE', detail, ...(certificate && { certificate }) }
}

function certificateOf({ issuer, valid_to }: PeerCertificate): Finding['certificate'] {
  const until = new Date(valid_to)
  if (!issuer || Number.isNaN(until.getTime())) return undefined
  const names = [issuer.O, issuer.CN].flat().filter(Boolean)
  return { issuer: clipDetail(names.join(' ')), until }
}
