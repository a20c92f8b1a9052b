import { get } from 'node:http'
import { changePassword, routes, setUserLevel, signOut } from '@kelid/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endSessions } from '../../src/features/auth/auth.ts'
import { resetPassword } from '../../src/features/auth/reset-password.ts'
import { maxMissed } from '../../src/features/events/events.store.ts'
import { streamsPerSession } from '../../src/http/live-events.ts'
import { type Person, productForAllTests } from '../product.ts'
import { somebody } from '../security/callers.ts'
import { samplePassword } from '../security/samples.ts'
import { until } from '../until.ts'
import { announceTo, type LiveStream, openGreeted, openStream, serverEvent, typesOf } from './live-stream.ts'
import { fair, lockWaiters } from './remote.ts'

const product = productForAllTests()

const open = (person: Person, lastEventId?: string) => openGreeted(product, person, lastEventId)
const tell = (userId: number | null, name = 'one') =>
  announceTo(product, userId, userId === null ? serverEvent(name) : { type: 'balance' })
/** Many events at once, of a user or for administrators. */
const flood = (userId: number | null, count: number) =>
  product.sql(
    `INSERT INTO events (at, user_id, payload)
     SELECT $1, $2::bigint, '{"type":"balance"}' FROM generate_series(1, $3::int)`,
    ...[product.clock.now(), userId, count],
  )
/** Where a reader stands who leaves now. */
async function lastIdOf(person: Person): Promise<string> {
  const stream = await open(person)
  stream.drop()
  return stream.received[0]?.id as string
}

test('a reader resumes with their own events, and those of others cost nothing', async () => {
  const [reader, other] = [await product.person(), await product.person()]
  const from = await lastIdOf(reader)
  await tell(reader.id)
  await flood(other.id, 100_000)
  await flood(null, 100_000)
  await tell(reader.id)
  const costs: number[] = []
  // The least of three leaves out other work of this process.
  for (let turn = 0; turn < 3; turn += 1) {
    const before = process.cpuUsage()
    const again = await open(reader, from)
    await until(() => typesOf(again).length === 3, 'both events')
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1_000)
    again.drop()
  }
  const stream = await open(reader, from)
  await until(() => typesOf(stream).length === 3, 'both events')
  await tell(reader.id)
  await until(() => typesOf(stream).length === 4, 'what is new')
  expect(typesOf(stream)).toEqual(['ready', 'balance', 'balance', 'balance'])
  expect(Math.min(...costs)).toBeLessThan(300)
  stream.drop()
})

test.each([
  ['a user', 1, false],
  ['an administrator', 6, true],
])('%s who has missed too much must read everything again', async (_, level, isOfHosts) => {
  const reader = await product.person({ level })
  const from = await lastIdOf(reader)
  await flood(isOfHosts ? null : reader.id, maxMissed - 1)
  await tell(reader.id)
  const whole = await open(reader, from)
  await until(() => typesOf(whole).length === 1 + maxMissed, 'all that was missed')
  expect(typesOf(whole)[0]).toBe('ready')

  await tell(reader.id)
  const tooLate = await open(reader, from)
  await tell(reader.id)
  await until(() => typesOf(tooLate).length > 1, 'what is new')
  expect(typesOf(tooLate)[0]).toBe('reset')
  expect(typesOf(tooLate).length).toBeLessThan(5)
  for (const stream of [whole, tooLate]) stream.drop()
})

test('a session has a few streams, and one more ends the oldest', async () => {
  const person = await product.person()
  const elsewhere = await open(await product.again(person))
  const streams: LiveStream[] = []
  for (let count = 0; count < streamsPerSession + 2; count += 1) streams.push(await open(person))
  const [first, second, ...others] = streams as [LiveStream, LiveStream, ...LiveStream[]]
  await until(() => first.isEnded() && second.isEnded(), 'the oldest to end')
  await tell(person.id)
  for (const stream of [elsewhere, ...others])
    await until(() => typesOf(stream).includes('balance'), 'what is new')
  expect([elsewhere, ...others].map((stream) => stream.isEnded())).not.toContain(true)

  for (const stream of others) stream.drop()
  const again = await open(person, others[0]?.received.at(-1)?.id)
  await tell(person.id)
  await until(() => typesOf(again).includes('balance'), 'what is new')
  expect(first.received).toHaveLength(1)
  for (const stream of [elsewhere, again]) stream.drop()
})

test('a session that ends while its stream is opened sees nothing of what comes after', async () => {
  const admin = await product.person({ level: 9 })
  const opening = await product.ctx.atomically(async (tx) => {
    await sql`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`.execute(tx)
    const stream = openStream(product.url, admin.token)
    await until(async () => (await lockWaiters(product)) === 1, 'the stream to be admitted')
    await endSessions(product.ctx, tx, admin.id)
    return [stream]
  })
  const stream = (await opening[0]) as LiveStream
  await until(() => typesOf(stream).length > 0 || stream.isEnded(), 'the greeting')
  await tell(null)
  await until(() => typesOf(stream).length > 1 || stream.isEnded(), 'what comes after, or the end')
  expect(typesOf(stream)).toEqual([])
})

test.each([
  ['signing out', (who: Person) => who.ask(signOut, {})],
  [
    'a change of the password elsewhere',
    async (who: Person) =>
      (await product.again(who)).call(changePassword, {
        oldPassword: samplePassword,
        newPassword: 'Abi-Asman-88',
      }),
  ],
  [
    'a new password by the operator',
    (who: Person) =>
      resetPassword(product.ctx, { email: 'command line', address: '' }, who.email, 'Narenji-Gol-55'),
  ],
  [
    'a demotion',
    async (who: Person) => await product.admin.ask(setUserLevel, { userEmail: who.email, value: 5 }),
  ],
])('%s ends all streams of the session at once', async (_, end) => {
  const admin = await somebody(product, 9)
  const streams = [await open(admin), await open(admin)]
  const startedAt = Date.now()
  await end(admin)
  // By name: an earlier event that waits behind a transaction of another database is still delivered.
  const after = `after ${admin.email}`
  await tell(null, after)
  await until(() => streams.every((stream) => stream.isEnded()), 'the streams to end')
  expect(Date.now() - startedAt).toBeLessThan(fair(2_000))
  expect(JSON.stringify(streams.map(({ received }) => received))).not.toContain(after)
})

test('a reader who hangs up while being admitted leaves no stream behind', async () => {
  const person = await product.person()
  const streams: LiveStream[] = []
  for (let count = 0; count < streamsPerSession; count += 1) streams.push(await open(person))
  await product.ctx.atomically(async (tx) => {
    await sql`LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE`.execute(tx)
    const request = get(new URL(routes.events.path, product.url), {
      agent: false,
      headers: { authorization: `Bearer ${person.token}` },
    })
    request.on('error', () => {})
    await until(async () => (await lockWaiters(product)) === 1, 'the look at the session')
    request.destroy()
    await new Promise((closed) => request.once('close', closed))
    expect((await product.raw('/healthz')).status).toBe(200)
  })
  for (let later = 0; later < 5; later += 1) expect((await product.raw('/readyz')).status).toBe(200)
  await tell(person.id)
  for (const stream of streams) await until(() => typesOf(stream).includes('balance'), 'what is new')
  expect(streams.map((stream) => stream.isEnded())).not.toContain(true)
  for (const stream of streams) stream.drop()
})
