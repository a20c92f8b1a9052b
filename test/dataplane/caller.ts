import { type LiveEvent, routes, signIn as signInCall } from '@kelid/contract'
import { bearer, type CallServer, callAt } from '../../e2e/call.ts'
import { until } from './commands.ts'

/** Makes the calls of a product as the user who has signed in; a refusal is thrown. */
export function callerAt(origin: string) {
  let token: string | undefined
  const call: CallServer = (one, body) => callAt(origin, token ? bearer(token) : {})(one, body)
  const signIn = async (login: { email: string; password: string }) => {
    token = undefined
    token = (await call(signInCall, login)).token
  }
  /** The live events of this user from now on. */
  const follow = async () => {
    const end = new AbortController()
    const reply = await fetch(new URL(routes.events.path, origin), {
      headers: bearer(token ?? ''),
      signal: end.signal,
    })
    const events: LiveEvent[] = []
    const read = async () => {
      let text = ''
      for await (const part of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = (text + part).split('\n')
        text = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)))
      }
    }
    read().catch(() => {})
    await until('the event stream', 10, () => {
      if (events[0]?.type !== 'ready') throw new Error(String(reply.status))
    })
    return { events, close: () => end.abort() }
  }
  return { call, signIn, follow }
}
