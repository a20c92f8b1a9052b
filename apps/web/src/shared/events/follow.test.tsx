import { getAccount, getUserAccounts, getUserCredit, type LiveEvent, routes } from '@kelid/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../../test/answers.ts'
import { closeSession, openSession } from '../../lib/session.ts'
import { readEvents } from './event-stream.ts'
import { followLiveEvents } from './follow.ts'

let leave = () => {}
afterEach(() => {
  leave()
  closeSession()
  vi.restoreAllMocks()
})

const streamOf = (...pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
const event = (id: string, content: LiveEvent) => `id: ${id}\ndata: ${JSON.stringify(content)}\n\n`

/** Follows the events that the server answers with; returns the requests for them. */
function follow(client: QueryClient, reply: (requests: Request[]) => ReadableStream) {
  const requests: Request[] = []
  api.use(
    http.get(`*${routes.events.path}`, ({ request }) => {
      requests.push(request)
      return new HttpResponse(reply(requests))
    }),
  )
  openSession('secret')
  leave = followLiveEvents(client)
  return requests
}
const reads = [getUserAccounts, getAccount, getUserCredit].map(({ path }) => [path, {}])
function clientWithReads() {
  const client = new QueryClient()
  for (const key of reads) client.setQueryData(key, {})
  const staleReads = () => reads.map((key) => client.getQueryState(key)?.isInvalidated)
  return { client, staleReads }
}

test('an event may be split, and a chunk may contain several events and comments', async () => {
  const events = []
  const stream = streamOf(':\n\nid: 1\nda', 'ta: a\n\nid: 2\ndata: b\n\n', ':\n\n')
  for await (const one of readEvents(stream, () => {})) events.push(one)
  expect(events).toEqual([
    { id: '1', data: 'a' },
    { id: '2', data: 'b' },
  ])
})

test('an event makes its reads stale, and a new connection continues after the last event', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(-0.45)
  const { client, staleReads } = clientWithReads()
  const requests = follow(client, () =>
    streamOf(
      event('7', { type: 'ready' }),
      event('8', { type: 'account', accountUUID: 'x' }),
      'data: nonsense\n\n',
    ),
  )
  await waitFor(() => expect(requests.length).toBeGreaterThan(1))
  const [first, second] = requests
  expect([first, second].map((one) => one?.headers.get('authorization'))).toEqual(
    Array(2).fill('Bearer secret'),
  )
  expect([first, second].map((one) => one?.headers.get('last-event-id'))).toEqual([null, '8'])
  expect(staleReads()).toEqual([true, true, false])
})

test('a request to reload invalidates every read', async () => {
  const { client, staleReads } = clientWithReads()
  const requests = follow(client, () => streamOf(event('9', { type: 'reset' })))
  await waitFor(() => expect(staleReads()).toEqual([true, true, true]))
  expect(requests).toHaveLength(1)
})

test('a stream that ends early is reopened after growing pauses', async () => {
  const share = 0.005
  vi.spyOn(Math, 'random').mockReturnValue(share - 0.5)
  const at: number[] = []
  follow(new QueryClient(), () => {
    at.push(performance.now())
    return streamOf(event('7', { type: 'ready' }))
  })
  await waitFor(() => expect(at.length).toBeGreaterThan(5), { timeout: 10_000 })
  const waitedMs = ((at[5] ?? 0) - (at[0] ?? 0)) / share
  expect(waitedMs).toBeGreaterThan((2 + 4 + 8 + 16 + 32) * 1_000 * 0.9)
})

test('many changed accounts cause one read', async () => {
  const many = Array.from({ length: 200 }, (_, n) => event(`${n}`, { type: 'account', accountUUID: `${n}` }))
  const client = new QueryClient()
  const invalidated = vi.spyOn(client, 'invalidateQueries')
  follow(client, (requests) =>
    streamOf(event('0', { type: 'ready' }), ...(requests.length === 1 ? many : [])),
  )
  await waitFor(() => expect(invalidated).toHaveBeenCalledWith({ queryKey: [getAccount.path] }))
  expect(invalidated).toHaveBeenCalledTimes(2)
})

test('a first read in progress is repeated, because its answer may predate the event', async () => {
  let sendEvent: ((one: LiveEvent) => void) | undefined
  const client = new QueryClient()
  const invalidated = vi.spyOn(client, 'invalidateQueries')
  const replies: ((state: string) => void)[] = []
  const list = new QueryObserver(client, {
    queryKey: [getUserAccounts.path, {}],
    queryFn: () => new Promise<string>((resolve) => replies.push(resolve)),
  })
  const forget = list.subscribe(() => {})
  follow(
    client,
    () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          sendEvent = (one) => controller.enqueue(new TextEncoder().encode(event('1', one)))
        },
      }),
  )
  await waitFor(() => expect(sendEvent).toBeDefined())
  const invalidations = () =>
    invalidated.mock.calls.filter(([about]) => about?.queryKey?.[0] === getAccount.path)
  await waitFor(() => expect(replies).toHaveLength(1))
  for (const times of [1, 2]) {
    sendEvent?.({ type: 'account', accountUUID: 'x' })
    await waitFor(() => expect(invalidations()).toHaveLength(times))
  }
  expect(replies).toHaveLength(1)
  replies[0]?.('before')
  await waitFor(() => expect(replies).toHaveLength(2))
  replies[1]?.('after')
  await waitFor(() => expect(list.getCurrentResult().data).toBe('after'))
  expect(replies).toHaveLength(2)
  forget()
})

test('an unreachable reply server disturbs nothing, and there is no connection without a session', async () => {
  let count = 0
  api.use(
    http.get(`*${routes.events.path}`, () => {
      count += 1
      return HttpResponse.error()
    }),
  )
  leave = followLiveEvents(new QueryClient())
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(count).toBe(0)
  openSession('secret')
  await waitFor(() => expect(count).toBe(1))
})
