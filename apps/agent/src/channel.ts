import { Agent, request } from 'node:https'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { type Answer, type Call, controlPlaneSubject, type Input, unwrap } from '@kelid/contract'
import type { Config } from './config.ts'
import { type Credentials, readCredentials } from './credentials.ts'

const answerWithin = 20_000
/** A broken connection is retried soon instead of awaited. */
const connectWithin = 3_000
/** 1.5 times the list of a server at its maximum capacity. */
const answerBytes = 32 * 1024 * 1024

export interface Channel {
  readonly credentials: Credentials
  ask<C extends Call<'node'>>(
    call: C,
    input: OwnFields<C>,
    signal: AbortSignal,
    within?: number,
  ): Promise<Answer<C>>
  close(): void
}

export type OwnFields<C extends Call> = Omit<Input<C>, 'client' | 'clientVersion' | 'lng'>

/** Our CA signs servers' certificates too, and a server may have any name, so the subject must match. */
function checkControlPlane(host: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subject.CN !== controlPlaneSubject)
    return new Error(`expected the control plane's certificate, got one of ${certificate.subject.CN}`)
  return checkServerIdentity(host, certificate)
}

/** Reads the credential files again; each attempt tries the next credentials. */
export async function openChannel(config: Config, version: string, attempt = 0): Promise<Channel> {
  const candidates = await readCredentials(config)
  const credentials = candidates[attempt % candidates.length] as Credentials
  const { ca, certificate, key } = credentials
  const agent = new Agent({
    ca,
    cert: certificate,
    key,
    minVersion: 'TLSv1.3',
    checkServerIdentity: checkControlPlane,
    keepAlive: true,
    maxSockets: 1,
  })
  return {
    credentials,
    async ask(call, input, signal, within = answerWithin) {
      const body = JSON.stringify({ client: 'agent', clientVersion: version, ...input })
      const url = new URL(call.path, config.url)
      return unwrap(call, JSON.parse(await post(url, agent, body, signal, within)))
    },
    close: () => agent.destroy(),
  }
}

const post = (url: URL, agent: Agent, body: string, signal: AbortSignal, within: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const outgoing = request(url, { agent, method: 'POST', headers, signal }, (incoming) => {
      const parts: Buffer[] = []
      let length = 0
      incoming.on('data', (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length > answerBytes) incoming.destroy(new Error('the answer is too long'))
      })
      incoming.on('end', () => resolve(Buffer.concat(parts).toString('utf8')))
      incoming.on('error', reject)
    })
    // An own timer: AbortSignal.timeout inside AbortSignal.any can be garbage-collected before it fires (Node 20).
    const waiting = setTimeout(() => outgoing.destroy(new Error('no answer in time')), within)
    outgoing.once('close', () => clearTimeout(waiting))
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return
      const connectTimer = setTimeout(
        () => outgoing.destroy(new Error('no connection in time')),
        connectWithin,
      )
      socket.once('secureConnect', () => clearTimeout(connectTimer))
      outgoing.once('close', () => clearTimeout(connectTimer))
    })
    outgoing.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error))
    outgoing.end(body)
  })
