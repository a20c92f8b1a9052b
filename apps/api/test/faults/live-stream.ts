import { type LiveEvent, routes } from '@kelid/contract'
import { announce } from '../../src/features/events/events.ts'
import type { Person, Product } from '../product.ts'
import { until } from '../until.ts'

export interface Received {
  readonly id: string
  readonly event: LiveEvent
}

export interface LiveStream {
  readonly received: Received[]
  /** Whether the server has closed the stream. */
  isEnded(): boolean
  drop(): void
}

/** What a client does: one connection, read with fetch. Throws when it is not let in. */
export async function openStream(
  url: string,
  token: string,
  { lastEventId, onEvent = () => {} }: { lastEventId?: string; onEvent?: (one: Received) => void } = {},
): Promise<LiveStream> {
  const abort = new AbortController()
  const response = await fetch(new URL(routes.events.path, url), {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  })
  if (response.status !== 200 || !response.body) throw new Error(`the stream answered ${response.status}`)
  const received: Received[] = []
  let isEnded = false
  const read = async (body: AsyncIterable<Uint8Array>) => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of body) {
      const messages = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) {
        const match = /^id: (\S+)\ndata: (.*)$/.exec(message)
        if (!match || abort.signal.aborted) continue
        const one = { id: match[1] as string, event: JSON.parse(match[2] as string) as LiveEvent }
        received.push(one)
        onEvent(one)
      }
    }
  }
  void read(response.body as unknown as AsyncIterable<Uint8Array>)
    .catch(() => {})
    .finally(() => {
      isEnded = true
    })
  return { received, isEnded: () => isEnded, drop: () => abort.abort() }
}

/** A stream after its greeting, or after its end. */
export async function openGreeted({ url }: Product, { token }: Person, lastEventId?: string) {
  const stream = await openStream(url, token, lastEventId === undefined ? {} : { lastEventId })
  await until(() => stream.received.length > 0 || stream.isEnded(), 'the greeting')
  return stream
}

export const typesOf = ({ received }: LiveStream) => received.map(({ event }) => event.type)

/** Announces events to a user, or to the administrators. */
export const announceTo = ({ ctx }: Product, userId: number | null, ...events: LiveEvent[]): Promise<void> =>
  ctx.atomically((tx) => announce(ctx, tx, userId, events))

/** A change of a server, which administrators see. */
export const serverEvent = (serverUUID: string): LiveEvent => ({ type: 'server', serverUUID, state: 'ready' })

export interface Follower {
  /** Everything but the greetings, in the order it came, over all connections. */
  readonly events: LiveEvent[]
  readonly greetings: string[]
  connections(): number
  drop(): void
  stop(): void
}

/** A client that comes back with its last id whenever its connection is gone, to any of the addresses. */
export async function follow(urls: readonly string[], token: string, from?: string): Promise<Follower> {
  const events: LiveEvent[] = []
  const greetings: string[] = []
  let lastEventId = from
  let isStopped = false
  let connections = 0
  let stream: LiveStream | null = null

  const connect = async () => {
    const url = urls[connections % urls.length] as string
    stream = await openStream(url, token, {
      ...(lastEventId !== undefined && { lastEventId }),
      onEvent: ({ id, event }) => {
        lastEventId = id
        if (event.type === 'ready' || event.type === 'reset') greetings.push(event.type)
        else events.push(event)
      },
    }).catch(() => null)
    connections += 1
  }
  const keepUp = async () => {
    while (!isStopped) {
      await until(() => isStopped || !stream || stream.isEnded(), 'the stream to end', 2 ** 31 - 1)
      if (!isStopped) await connect()
    }
    stream?.drop()
  }
  await connect()
  await until(() => greetings.length > 0, 'the first greeting')
  void keepUp()
  return {
    events,
    greetings,
    connections: () => connections,
    drop: () => stream?.drop(),
    stop: () => {
      isStopped = true
    },
  }
}
