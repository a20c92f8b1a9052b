import { type Answer, type Call, type Input, RefusedByServer, unwrap } from '@kelid/contract'
import { loadConfig } from '../lib/config.ts'
import { currentLanguage } from '../lib/current-language.ts'
import { parseReply, readReply } from '../lib/read-reply.ts'
import { closeSession, sessionStore } from '../lib/session.ts'
import { forgetFirstCalls, takeFirstCall } from './first-calls.ts'

/** The fields of a call's body; client, version and language are added here. */
export type Body<C extends Call> = Omit<Input<C>, 'client' | 'clientVersion' | 'lng'>

/** No answer came: the network or the server is out of reach. */
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
  /** Gives it up. */
  signal?: AbortSignal | undefined
  /** Makes a second try of the same charge harmless. */
  idempotencyKey?: string | undefined
}

/** A call that only reads; the page may have made it already. */
export const read = <C extends Call>(call: C, body: Body<C>, options: Pick<Options, 'signal'> = {}) =>
  send(call, body, options, takeFirstCall)

/** A call that may change something: what the page read before it no longer counts. */
export function act<C extends Call>(call: C, body: Body<C>, options: Options = {}): Promise<Answer<C>> {
  forgetFirstCalls()
  return send(call, body, options)
}

/** One call. Throws RefusedByServer when the server said no and Unreachable when it said nothing. */
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
  // What was asked in a session that has ended meanwhile is not for the next one to see, nor for the device to keep.
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

/** The envelope whatever the HTTP status; what is not JSON did not come from the product. */
async function request(made: Promise<string> | undefined, url: string, init: RequestInit): Promise<unknown> {
  try {
    return made ? parseReply(await made) : await readReply(await fetch(url, init))
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Unreachable(error)
  }
}
