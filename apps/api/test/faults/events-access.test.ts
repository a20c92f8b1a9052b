import { randomUUID } from 'node:crypto'
import {
  addServer,
  adjustUserCredit,
  day,
  getUser,
  newAccount,
  revokeSession,
  signOut,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { purgeEvents } from '../../src/features/events/events.ts'
import { type Person, productForAllTests } from '../product.ts'
import { directAccount, sampleServer } from '../sample-hosts.ts'
import { until } from '../until.ts'
import { announceTo, openGreeted, serverEvent, typesOf } from './live-stream.ts'

const product = productForAllTests()
beforeAll(() => product.server())

const open = (person: Person, lastEventId?: string) => openGreeted(product, person, lastEventId)
const adjust = (person: Person) =>
  product.admin.call(adjustUserCredit, { userEmail: person.email, amount: 1, reason: 'a sign' })

test('users see what is theirs, administrators see hosts, and neither sees the other', async () => {
  const [one, two] = [await product.person({ points: 100 }), await product.person()]
  const admin = await product.person({ level: 6 })
  const streams = { one: await open(one), two: await open(two), admin: await open(admin) }
  const { accountUUID } = await one.ask(newAccount, { ...directAccount, accountDuration: 1 })
  const serverUUID = randomUUID()
  await product.admin.call(addServer, { ...sampleServer(), serverUUID })
  for (const person of [one, two, admin]) await adjust(person)
  for (const stream of Object.values(streams))
    await until(() => typesOf(stream).at(-1) === 'balance' && typesOf(stream).length > 1, 'the last sign')
  await until(() => typesOf(streams.one).length === 4, 'all that is theirs')
  expect(typesOf(streams.one).sort()).toEqual(['account', 'balance', 'balance', 'ready'])
  expect(streams.one.received.find(({ event }) => event.type === 'account')?.event).toEqual({
    type: 'account',
    accountUUID,
  })
  expect(typesOf(streams.two)).toEqual(['ready', 'balance'])
  const hosts = streams.admin.received.flatMap(({ event }) =>
    event.type === 'server' ? event.serverUUID : [],
  )
  expect(hosts.filter((uuid) => uuid === serverUUID)).toHaveLength(1)
  expect(typesOf(streams.admin).filter((type) => type !== 'server')).toEqual(['ready', 'balance'])
  for (const stream of Object.values(streams)) stream.drop()
})

test('an administrator without the required second factor sees nothing of the hosts', async () => {
  const admin = await product.person({ level: 9 })
  await product.settings({ secondFactor: 'required' })
  const stream = await open(admin)
  await announceTo(product, null, serverEvent('any'))
  await product.settings({ secondFactor: 'optional' })
  await adjust(admin)
  await until(() => typesOf(stream).includes('balance'), 'what is theirs')
  expect(typesOf(stream)).toEqual(['ready', 'balance'])
  await announceTo(product, admin.id, { type: 'sessions' })
  await until(stream.isEnded, "the stream to end, so that the next one is an administrator's")
})

test('another session that ends or begins leaves the stream open', async () => {
  const person = await product.person()
  const stream = await open(person)
  const elsewhere = await product.again(person)
  await elsewhere.call(signOut, {})
  const again = await product.again(person)
  expect((await again.call(revokeSession, { sessionId: randomUUID() })).status).toBe(404)
  await adjust(person)
  await until(() => typesOf(stream).includes('balance'), 'what comes after')
  expect(typesOf(stream)).toEqual(['ready', 'sessions', 'balance'])
  expect(stream.isEnded()).toBe(false)
  stream.drop()
})

test('an open stream does not keep an idle session alive', async () => {
  const person = await product.person({ level: 8 })
  const stream = await open(person)
  for (let minutes = 0; minutes < 40; minutes += 10) {
    product.clock.advance(10 * 60_000)
    const seen = typesOf(stream).length + 2
    await announceTo(product, person.id, { type: 'sessions' }, { type: 'balance' })
    await until(() => stream.isEnded() || typesOf(stream).length >= seen, 'the look at the session')
  }
  expect(stream.isEnded()).toBe(true)
  expect(await person.refusal(getUser, {})).toBe('UNAUTHENTICATED')
  product.clock.advance(-40 * 60_000)
})

test('a reader who resumes at an event that is not stored must read everything again', async () => {
  const person = await product.person()
  const stream = await open(person)
  await adjust(person)
  await adjust(person)
  await until(() => typesOf(stream).length === 3, 'both signs')
  const [ready, first, second] = stream.received.map(({ id }) => id) as [string, string, string]
  stream.drop()

  product.clock.advance(day + 1)
  const admin = await product.again(product.admin)
  const later = await product.again(person)
  await purgeEvents(product.ctx)
  const [, number] = second.split('.') as [string, string]
  const future = `${BigInt(second.split('.')[0] as string) + 10_000n}.${number}`
  for (const lost of [ready, first, future, 'nonsense'])
    expect(typesOf(await open(later, lost))[0]).toBe('reset')

  const upToDate = await open(later, second)
  const afterReset = await open(later, first)
  await admin.call(adjustUserCredit, { userEmail: person.email, amount: 1, reason: 'after' })
  for (const one of [upToDate, afterReset]) await until(() => typesOf(one).length === 2, 'what is new')
  expect(typesOf(upToDate)).toEqual(['ready', 'balance'])
  expect(typesOf(afterReset)).toEqual(['reset', 'balance'])
})
