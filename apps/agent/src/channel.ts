import { Agent, request } from 'node:https'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { type Answer, type Call, controlPlaneSubject, type Input, unwrap } from '@kelid/contract'
import type { Config } from './config.ts'
import { type Credentials, readCredentials } from './credentials.ts'

/** A server that takes a connection and says nothing is given up after this, and so is one that never ends its answer. */
const answerWithin = 20_000
/** A line that was cut is tried again soon, rather than waited for. */
const connectWithin = 3_000
/** The list of a node with as many accounts as a server may have, and a half more. */
const answerBytes = 32 * 1024 * 1024

export interface Channel {
  readonly credentials: Credentials
  /** Throws when it was refused or not answered; `within` is for a call that may take its time. */
  ask<C extends Call<'node'>>(
    call: C,
    input: Own<C>,
    signal: AbortSignal,
    within?: number,
  ): Promise<Answer<C>>
  close(): void
}

export type Own<C extends Call> = Omit<Input<C>, 'client' | 'clientVersion' | 'lng'>

/** Our authority signs for servers too, and a server may have any name: its certificate is not the control plane's. */
function checkControlPlane(host: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subject.CN !== controlPlaneSubject)
    return new Error(`the certificate is not the control plane's but of ${certificate.subject.CN}`)
  return checkServerIdentity(host, certificate)
}

/** By the files as they are now, at each attempt by the next of them. */
export async function openChannel(config: Config, version: string, attempt = 0): Promise<Channel> {
  const found = await readCredentials(config)
  const credentials = found[attempt % found.length] as Credentials
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
    // A timer of its own: one of AbortSignal.timeout inside of AbortSignal.any is lost with the next garbage (Node 20).
    const waiting = setTimeout(() => outgoing.destroy(new Error('no answer in time')), within)
    outgoing.once('close', () => clearTimeout(waiting))
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return
      const given = setTimeout(() => outgoing.destroy(new Error('no connection in time')), connectWithin)
      socket.once('secureConnect', () => clearTimeout(given))
      outgoing.once('close', () => clearTimeout(given))
    })
    outgoing.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error))
    outgoing.end(body)
  })
