import { type Call, type Envelope, type Language, type Sent, unwrap } from '@kelid/contract'
import type * as z from 'zod/mini'

export const common = { client: 'web', clientVersion: '1.0' } as const

/** The body of a call, without the fields that every call has. */
export type Body<C extends Call> = Omit<z.input<C['input']>, 'client' | 'clientVersion' | 'lng'> & {
  lng?: Language | undefined
}

export interface Reply<C extends Call> {
  readonly status: number
  readonly headers: Headers
  readonly envelope: Envelope
  readonly errorType: string | undefined
  /** Throws if the call was refused. */
  answer(): Sent<C>
}

export type CallAt = <C extends Call>(
  call: C,
  body: Body<C>,
  headers?: Record<string, string>,
) => Promise<Reply<C>>

export const callAt =
  (url: string, token?: string): CallAt =>
  async (call, body, headers = {}) => {
    const response = await fetch(new URL(call.path, url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ ...common, ...body }),
    })
    const envelope = (await response.json()) as Envelope
    return {
      status: response.status,
      headers: response.headers,
      envelope,
      errorType: envelope.response.error?.errorType,
      answer: () => unwrap(call, envelope) as Sent<typeof call>,
    }
  }

/** All items of a list, read page by page. */
export async function everyPage<Item>(
  read: (from: { cursor?: string }) => Promise<{ items: readonly Item[]; nextCursor?: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null | undefined
  do {
    const page = await read(cursor ? { cursor } : {})
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor)
  return items
}
