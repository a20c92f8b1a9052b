import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { type Answer, type Call, type Input, limits, unwrap } from '@kelid/contract'
import type { Config } from './config.ts'

/** A server that takes a connection and says nothing is given up after this, and so is one that never ends its answer. */
const answerWithin = 20_000

export interface Channel {
  /** Throws when it was refused or not answered. */
  ask<C extends Call<'node'>>(call: C, input: Own<C>, signal: AbortSignal): Promise<Answer<C>>
  close(): void
}

type Own<C extends Call> = Omit<Input<C>, 'client' | 'clientVersion' | 'lng'>

/** By the files as they are now: what was renewed meanwhile counts from the next channel on. */
export async function openChannel(config: Config, version: string): Promise<Channel> {
  const [ca, cert, key] = await Promise.all(
    [config.ca, config.certificate, config.key].map((path) => readFile(path, 'utf8')),
  )
  const agent = new Agent({ ca, cert, key, minVersion: 'TLSv1.3', keepAlive: true, maxSockets: 1 })
  return {
    async ask(call, input, signal) {
      const body = JSON.stringify({ client: 'agent', clientVersion: version, ...input })
      const url = new URL(call.path, config.url)
      const text = await post(url, agent, body, AbortSignal.any([signal, AbortSignal.timeout(answerWithin)]))
      return unwrap(call, JSON.parse(text))
    },
    close: () => agent.destroy(),
  }
}

const post = (url: URL, agent: Agent, body: string, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const outgoing = request(url, { agent, method: 'POST', headers, signal }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => {
        text += chunk
        if (text.length > limits.bodyBytes) incoming.destroy(new Error('the answer is too long'))
      })
      incoming.on('end', () => resolve(text))
      incoming.on('error', reject)
    })
    outgoing.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error))
    outgoing.end(body)
  })
