import { type Call, type Sent, unwrap } from '@kelid/contract'
import type * as z from 'zod/mini'

/** The body of a call, without the fields that every call has. */
export type Body<C extends Call> = Omit<z.input<C['input']>, 'client' | 'clientVersion' | 'lng'>

export type CallServer = <C extends Call>(call: C, body: Body<C>) => Promise<Sent<C>>

/** Makes calls over HTTP; throws a refusal. */
export const callAt =
  (url: string, headers: Record<string, string> = {}): CallServer =>
  async (call, body) => {
    const reply = await fetch(new URL(call.path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ client: 'web', clientVersion: '1.0', ...body }),
    })
    return unwrap(call, await reply.json()) as Sent<typeof call>
  }

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`Not within a minute: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
