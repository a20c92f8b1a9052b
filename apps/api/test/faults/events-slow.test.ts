import { get, type IncomingMessage } from 'node:http'
import { type LiveEvent, routes } from '@kelid/contract'
import { expect, test } from 'vitest'
import { maxMissed } from '../../src/features/events/events.store.ts'
import { productForAllTests } from '../product.ts'
import { until } from '../until.ts'
import { announceTo, follow, openGreeted, openStream } from './live-stream.ts'

const batches = 10
const perBatch = maxMissed / batches
const total = maxMissed
const line = 'x'.repeat(20_000)

const product = productForAllTests()

/** More than sockets hold by themselves: 20 MB. */
async function writeMuch(run: string): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    const events = Array.from({ length: perBatch }, (_, index): LiveEvent => {
      const number = batch * perBatch + index + 1
      return { type: 'log', subject: 'server', uuid: 'u', run, number, line }
    })
    await announceTo(product, null, ...events)
  }
}

const numbersOf = (events: readonly LiveEvent[], run: string) =>
  events.flatMap((event) => (event.type === 'log' && event.run === run ? [event.number] : []))
const all = Array.from({ length: total }, (_, index) => index + 1)

/** A reader that does not read until it is told to. */
async function sleepyReader(lastEventId?: string) {
  const response = await new Promise<IncomingMessage>((answered, failed) =>
    get(
      new URL(routes.events.path, product.url),
      {
        agent: false,
        headers: {
          authorization: `Bearer ${product.admin.token}`,
          ...(lastEventId && { 'last-event-id': lastEventId }),
        },
      },
      answered,
    ).on('error', failed),
  )
  response.pause()
  return async () => {
    let text = ''
    try {
      for await (const chunk of response.setEncoding('utf8')) text += chunk
    } catch {
      // Cut off in the middle; what came before counts.
    }
    return [...text.matchAll(/id: (\S+)\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
      id: id as string,
      event: JSON.parse(data as string) as LiveEvent,
    }))
  }
}

test('a reader who does not read is disconnected and resumes without loss', async () => {
  const start = await openGreeted(product, product.admin)
  const from = start.received[0]?.id as string
  start.drop()

  const following = await sleepyReader(from)
  const quick = await follow([product.url], product.admin.token, from)
  await writeMuch('one')
  const catchingUp = await sleepyReader(from)
  await until(() => numbersOf(quick.events, 'one').length >= total, 'a reader who reads to have everything')
  quick.stop()
  expect(numbersOf(quick.events, 'one')).toEqual(all)

  for (const wake of [following, catchingUp]) {
    const received = await wake()
    expect(received.length).toBeLessThan(total)
    const resumed = await follow([product.url], product.admin.token, received.at(-1)?.id)
    const events = () => [...received.map(({ event }) => event), ...resumed.events]
    await until(() => numbersOf(events(), 'one').length >= total, 'the rest')
    resumed.stop()
    expect(numbersOf(events(), 'one')).toEqual(all)
    expect(new Set(resumed.greetings)).toEqual(new Set(['ready']))
  }
})

test('a session that ended by itself is noticed at the next heartbeat', async () => {
  const person = await product.person()
  const stream = await openGreeted(product, person)
  product.clock.advance(25 * 3_600_000)
  await until(stream.isEnded, 'the stream to end')
  expect((await product.raw('/healthz')).status).toBe(200)
  product.clock.advance(-25 * 3_600_000)
})

test('a stream that cannot be served ends instead of staying silent', async () => {
  const user = await product.person()
  await product.ctx.pool.query('ALTER TABLE events RENAME TO hidden')
  const stream = await openStream(product.url, user.token)
  await until(stream.isEnded, 'the stream to end', 5_000)
  await product.ctx.pool.query('ALTER TABLE hidden RENAME TO events')
  const again = await openGreeted(product, user)
  expect(again.received).toHaveLength(1)
  again.drop()
})
