import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { addServer, adjustUserCredit, type LiveEvent } from '@kelid/contract'
import pg from 'pg'
import { expect, test } from 'vitest'
import { announce } from '../../src/features/events/events.ts'
import { openHub } from '../../src/features/events/hub.ts'
import { writeLog } from '../../src/features/provisioning/provisioning.ts'
import { type Product, productForAllTests, runOf } from '../product.ts'
import { openTcpLine } from '../real/line.ts'
import { sampleServer } from '../sample-hosts.ts'
import { scale, seedOf } from '../scale.ts'
import { until } from '../until.ts'
import { follow } from './live-stream.ts'
import { random } from './random.ts'

const product = productForAllTests()
const other = productForAllTests(() => ({ database: product.database }))

async function newRun() {
  const serverUUID = randomUUID()
  await product.admin.ask(addServer, { ...sampleServer(), serverUUID })
  return runOf(product, serverUUID)
}
type Run = Awaited<ReturnType<typeof newRun>>

const numbersOf = (events: readonly LiveEvent[], run: Run) =>
  events.flatMap((event) => (event.type === 'log' && event.run === run.uuid ? [event.number] : []))

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a reader who reconnects at random and changes instances gets each of 2,000 log lines once', async () => {
  const dice = random(seedOf('reconnecting reader'))
  const lines = scale(2_000, 20_000)
  const runs = await Promise.all(Array.from({ length: 4 }, newRun))
  const reader = await follow([product.url, other.url], product.admin.token)
  let announced = 0
  // Other events of hosts arrive too, and may come late.
  const seen = () => reader.events.filter(({ type }) => type === 'log').length
  const writer = async (run: Run, through: Product) => {
    let written = 0
    while (written < lines / runs.length) {
      // A reader that is a thousand events behind would have to read everything again instead.
      await until(() => announced - seen() < 500, 'the reader to come near')
      const size = Math.min(dice.whole(1, 20), lines / runs.length - written)
      announced += size
      const text = upTo(size)
        .map((line) => `line ${written + line}`)
        .join('\n')
      await writeLog(through.ctx, run, text, [])
      written += size
    }
  }
  const dropping = async () => {
    while (seen() < lines) {
      const enough = Math.min(lines, seen() + dice.whole(1, 150))
      await until(() => seen() >= enough, 'some more events')
      if (seen() < lines) reader.drop()
    }
  }
  const drops = dropping()
  await Promise.all(runs.map((run, index) => writer(run, index % 2 ? other : product)))
  await drops
  reader.stop()
  console.log(`${seen()} lines over ${reader.connections()} connections`)
  expect(reader.connections()).toBeGreaterThan(5)
  expect(new Set(reader.greetings)).toEqual(new Set(['ready']))
  for (const run of runs) expect(numbersOf(reader.events, run)).toEqual(upTo(lines / runs.length))
})

test('a transaction that begins earlier and commits later is delivered, also to a reader who came in between', async () => {
  const user = await product.person()
  const before = await follow([product.url], user.token)
  const gate = new EventEmitter()
  const early = product.ctx.atomically(async (tx) => {
    await announce(product.ctx, tx, user.id, [{ type: 'account', accountUUID: 'early' }])
    gate.emit('begun')
    await once(gate, 'opened')
  })
  await once(gate, 'begun')
  await product.admin.call(adjustUserCredit, { userEmail: user.email, amount: 5, reason: 'late' })
  const between = await follow([other.url], user.token)
  between.drop()
  await until(() => between.greetings.length > 1, 'the second greeting')
  gate.emit('opened')
  await early
  const both = [{ type: 'account', accountUUID: 'early' }, { type: 'balance' }]
  for (const reader of [before, between]) {
    await until(() => reader.events.length >= 2, 'both events')
    expect(reader.events).toEqual(both)
    reader.stop()
  }
})

const listeners = async (columns = '') =>
  (
    await product.sql(
      `SELECT ${columns} FROM pg_stat_activity
       WHERE datname = current_database() AND query = 'LISTEN kelid_events'`,
    )
  ).length

test('nothing is lost or doubled when the connection that listens is cut off, again and again', async () => {
  const run = await newRun()
  const reader = await follow([product.url], product.admin.token)
  const cuts = 5
  for (let cut = 0; cut < cuts; cut += 1) {
    expect(await listeners('pg_terminate_backend(pid)')).toBe(2)
    await writeLog(product.ctx, run, `after cut ${cut}`, [])
    await until(() => numbersOf(reader.events, run).length > cut, 'the line after the cut', 10_000)
    await until(async () => (await listeners()) === 2, 'both to listen again')
  }
  reader.stop()
  expect(numbersOf(reader.events, run)).toEqual(upTo(cuts))
  expect(reader.connections()).toBe(1)
})

/** A line to the database. */
async function openDatabaseLine(config: pg.ClientConfig) {
  const { host, port, user, password, database } = new pg.Client(config)
  const isSocket = host.startsWith('/')
  const line = await openTcpLine(isSocket ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
  return { ...line, connection: { host: '127.0.0.1', port: line.port, user, password, database } }
}

test('events still arrive when the listening connection is silently dead', async () => {
  const line = await openDatabaseLine(product.database.connection)
  const hub = await openHub(product.ctx, line.connection)
  const user = await product.person()
  const seen: string[] = []
  const leave = await hub.join(
    { userId: user.id, isAdmin: false, isGone: () => false, deliver: ({ type }) => void seen.push(type) },
    undefined,
  )
  const adjust = () =>
    product.admin.call(adjustUserCredit, { userEmail: user.email, amount: 1, reason: 'a sign' })
  await adjust()
  await until(() => seen.length === 2, 'the first event')
  line.freeze()
  await adjust()
  await until(() => seen.length === 3, 'the event after it went deaf')
  expect(seen).toEqual(['ready', 'balance', 'balance'])
  leave()
  line.close()
  await hub.close()
})
