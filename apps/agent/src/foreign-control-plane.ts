import { Agent, request } from 'node:https'
import { foreignHostProtocol } from '@kelid/contract'
import type { Config } from './config.ts'
import type { Credentials } from './credentials.ts'

/** Errors of a certificate that another CA signed. An expired certificate or a wrong name is not among them. */
const foreign = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
])
const every = 600_000
const within = 5_000

/**
 * Notifies a control plane with another CA that this host exists, at most every ten minutes: the operator may have
 * started it with an empty database. The handshake carries the certificates; the response is ignored.
 */
export function createForeignNotice(config: Config) {
  let due = 0
  return async (error: unknown, credentials: Credentials, signal: AbortSignal): Promise<boolean> => {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!foreign.has(code) || performance.now() < due) return false
    due = performance.now() + every * (1 + Math.random() / 10)
    await showCertificate(config, credentials, AbortSignal.any([signal, AbortSignal.timeout(within)]))
    return true
  }
}

const showCertificate = (config: Config, { ca, certificate, key }: Credentials, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const agent = new Agent({
      cert: certificate + ca,
      key,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
      ALPNProtocols: [foreignHostProtocol],
    })
    request(config.url, { agent, method: 'HEAD', signal })
      .on('response', (incoming) => incoming.destroy())
      .on('error', () => {})
      .once('close', resolve)
      .end()
  })
