import { Agent, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { request as requestByTls, type Agent as TlsAgent } from 'node:https'
import { connect } from 'node:net'
import { type Envelope, envelope } from '@kelid/contract'
import { expect } from 'vitest'

export interface Letter {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Without a length, in pieces. */
  readonly isChunked?: boolean
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** A request with exactly these bytes and headers, where fetch would correct or refuse them; by TLS as whom the agent says. */
export const send = (url: string, letter: Letter, tlsAgent?: TlsAgent): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const body = Buffer.from(letter.body ?? '')
    const outgoing = (tlsAgent ? requestByTls : request)(new URL(letter.path, url), {
      agent: tlsAgent ?? agent,
      method: letter.method ?? 'POST',
      headers: {
        ...letter.headers,
        ...(letter.isChunked
          ? { 'transfer-encoding': 'chunked' }
          : letter.body !== undefined && { 'content-length': String(body.length) }),
      },
    })
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    if (letter.isChunked)
      for (let at = 0; at < body.length; at += 8_192) outgoing.write(body.subarray(at, at + 8_192))
    else if (body.length > 0) outgoing.write(body)
    outgoing.end()
  })

/** Bytes that are no proper request at all; resolves with all that came back until the server hung up. */
export const sendBytes = (url: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', reject)
  })

export interface Held {
  /** Sends what was held back. */
  release(): void
  hangUp(): void
  /** All that came back until the server hung up. */
  readonly answer: Promise<string>
}

/** A request whose head has arrived and whose body, or the given rest of it, is held back. */
export function hold(url: string, { path, headers = {}, body = '' }: Letter, sent = 0): Promise<Held> {
  const bytes = Buffer.from(body)
  const lines = Object.entries({
    host: 'x',
    connection: 'close',
    expect: '100-continue',
    'content-length': String(bytes.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return new Promise((resolve, reject) => {
    let text = ''
    const answer = new Promise<string>((ended) => socket.on('close', () => ended(text)))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const isFirst = text === ''
      text += chunk
      if (!isFirst) return
      text = text.replace('HTTP/1.1 100 Continue\r\n\r\n', '')
      socket.write(bytes.subarray(0, sent))
      resolve({
        release: () => void socket.write(bytes.subarray(sent)),
        hangUp: () => void socket.resetAndDestroy(),
        answer,
      })
    })
  })
}

/** Shortens the time within which requests must arrive, which is 30 seconds. Node reads it whenever it looks for late ones. */
export function shortenTimeouts(listener: Server, milliseconds: number): void {
  expect([listener.headersTimeout, listener.requestTimeout]).toEqual([30_000, 30_000])
  Object.assign(listener, { headersTimeout: milliseconds, requestTimeout: milliseconds })
}

export const json = { 'content-type': 'application/json' } as const

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** What is the same in two equal replies: all but the time and the number of the request. */
export function sameness({ status, headers, text }: Answered): string {
  const { date: _, 'x-request-id': __, ...rest } = headers
  return JSON.stringify({ status, rest, text })
}

/** The envelope, strictly: nothing but what the contract names, and the code of the reply itself. */
export function readEnvelope({ status, text }: Pick<Answered, 'status' | 'text'>): Envelope['response'] {
  const value: unknown = JSON.parse(text)
  const { response } = envelope.parse(value)
  if (response.httpCode !== status) throw new Error(`httpCode ${response.httpCode} in a reply with ${status}`)
  if (response.status !== (status < 400 ? 1 : 0)) throw new Error(`status ${response.status} with ${status}`)
  if (status >= 400 !== (response.error !== undefined)) throw new Error(`a reply with ${status} and no error`)
  return response
}
