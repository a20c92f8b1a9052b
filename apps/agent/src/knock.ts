import { Agent, request } from 'node:https'
import { stranger, strangersProtocol } from '@kelid/contract'
import type { Config } from './config.ts'
import type { Credentials } from './credentials.ts'

/** A certificate that our authority has not signed. One that has ended, or has another name, is not among them, nor a line that is cut. */
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

export const isOfAnotherAuthority = (error: unknown): boolean =>
  foreign.has((error as NodeJS.ErrnoException | null)?.code ?? '')

/**
 * Where another authority answers, somebody should know that this host belongs to one that is not there: its database may be
 * new, or not the right one. It shows the certificate that it has, which is no secret, and says nothing; whoever answers is
 * not believed, and not even listened to. `due` is when it may next.
 */
export function createKnocker(
  config: Config,
  version: string,
  clock: () => number = () => performance.now(),
) {
  let due = 0
  return async (error: unknown, credentials: Credentials, signal: AbortSignal): Promise<boolean> => {
    if (!isOfAnotherAuthority(error) || clock() < due) return false
    due = clock() + every * (1 + Math.random() / 10)
    await knock(config, version, credentials, signal)
    return true
  }
}

const knock = (
  config: Config,
  clientVersion: string,
  { ca, certificate, key }: Credentials,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const body = JSON.stringify({ client: 'agent', clientVersion })
    const agent = new Agent({
      rejectUnauthorized: false,
      // With who signed it, by which it is told whose host this is.
      cert: certificate + ca,
      key,
      minVersion: 'TLSv1.3',
      ALPNProtocols: [strangersProtocol],
    })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const url = new URL(stranger.path, config.url)
    const outgoing = request(url, { agent, method: 'POST', headers, signal }, (incoming) =>
      incoming.destroy(),
    )
    const given = setTimeout(() => outgoing.destroy(), within)
    outgoing.on('error', () => {})
    outgoing.once('close', () => {
      clearTimeout(given)
      agent.destroy()
      resolve()
    })
    outgoing.end(body)
  })
