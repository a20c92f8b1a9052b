import { type Answer, type Call, type Input, RefusedByServer, unwrap } from '@kelid/contract'
import { loadConfig } from '../lib/config.ts'
import { currentLanguage } from '../lib/current-language.ts'
import { parseReply, readReply } from '../lib/read-reply.ts'
import { closeSession, sessionStore } from '../lib/session.ts'
import { forgetFirstCalls, takeFirstCall } from './first-calls.ts'

/** `send` adds client, version and language. */
export type Body<C extends Call> = Omit<Input<C>, 'client' | 'clientVersion' | 'lng'>

export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('No answer from the server', { cause })
    this.name = 'Unreachable'
  }
}

export const fieldsOf = (body: object, lng: string): object => ({
  client: 'web',
  clientVersion: '1.0',
  lng,
  ...body,
})

interface Options {
  signal?: AbortSignal | undefined
  /** The server executes a repeated charge under the same key once. */
  idempotencyKey?: string | undefined
}

/** The page may already have sent this read (first-calls.js). */
export const read = <C extends Call>(call: C, body: Body<C>, options: Pick<Options, 'signal'> = {}) =>
  send(call, body, options, takeFirstCall)

/** A change invalidates what the page read in advance. */
export function act<C extends Call>(call: C, body: Body<C>, options: Options = {}): Promise<Answer<C>> {
  forgetFirstCalls()
  return send(call, body, options)
}

/** Throws RefusedByServer on a refusal and Unreachable without an answer. */
async function send<C extends Call>(
  call: C,
  body: Body<C>,
  options: Options,
  take?: typeof takeFirstCall,
): Promise<Answer<C>> {
  const { appServer, messagingServer } = await loadConfig()
  const url = (call.server === 'messaging' ? messagingServer : appServer) + call.path
  const text = JSON.stringify(fieldsOf(body, currentLanguage()))
  const token = sessionStore.get()?.token
  const reply = await request(take?.(url, text, token), url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && call.access !== 'anyone' && { authorization: `Bearer ${token}` }),
      ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
    },
    body: text,
    signal: options.signal ?? null,
  })
  // A reply to an ended session must not reach the next user or the copies on the device.
  if (call.access !== 'anyone' && sessionStore.get()?.token !== token)
    throw new Unreachable('the session has ended')
  try {
    return unwrap(call, reply)
  } catch (error) {
    const hasEnded = error instanceof RefusedByServer && error.type === 'UNAUTHENTICATED'
    if (hasEnded) closeSession()
    throw error
  }
}

/** Every HTTP status carries the envelope; a reply without JSON is not from our server. */
async function request(
  firstReply: Promise<string> | undefined,
  url: string,
  init: RequestInit,
): Promise<unknown> {
  try {
    return firstReply ? parseReply(await firstReply) : await readReply(await fetch(url, init))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Unreachable(error)
  }
}
