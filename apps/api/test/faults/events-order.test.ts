import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { addServer, adjustUserCredit, type LiveEvent } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announce } from '../../src/features/events/events.ts'
import { writeLog } from '../../src/features/provisioning/provisioning.ts'
import { query } from '../database.ts'
import { openProduct, type Product, sampleServer } from '../product.ts'
import { scale, seedOf } from '../scale.ts'
import { follow } from './live-stream.ts'
import { random } from './random.ts'
import { until } from './remote.ts'

let product: Product
let other: Product
beforeAll(async () => {
  product = await openProduct()
  other = await openProduct({ database: product.database })
})
afterAll(async () => {
  await other.close()
  await product.close()
})

async function newRun() {
  const serverUUID = randomUUID()
  ;(await product.admin.call(addServer, { ...sampleServer(), serverUUID })).answer()
  return product.ctx.db
    .selectFrom('provision_runs')
    .select(['uuid', 'subject', 'subject_uuid'])
    .where('subject_uuid', '=', serverUUID)
    .executeTakeFirstOrThrow()
}
type Run = Awaited<ReturnType<typeof newRun>>

const numbersOf = (events: readonly LiveEvent[], run: Run) =>
  events.flatMap((event) => (event.type === 'log' && event.run === run.uuid ? [event.number] : []))

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('2,000 log lines, a reader who drops its connection at random and changes between instances: each line once', async () => {
  const dice = random(seedOf('reconnecting reader'))
  const lines = scale(2_000, 20_000)
  const runs = await Promise.all(Array.from({ length: 4 }, newRun))
  const reader = await follow([product.url, other.url], product.admin.token)
  let told = 0
  // What else happens to hosts is told too, and may come late.
  const seen = () => reader.events.filter(({ type }) => type === 'log').length
  const writer = async (run: Run, through: Product) => {
    let written = 0
    while (written < lines / runs.length) {
      // Whoever is a thousand behind would be told to read everything again instead.
      await until(() => told - seen() < 500, 'the reader to come near')
      const size = Math.min(dice.whole(1, 20), lines / runs.length - written)
      told += size
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

test('a transaction that began earlier and commits later is delivered, also to whoever came in between', async () => {
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

test('nothing is lost or doubled when the connection that listens is cut off, again and again', async () => {
  const run = await newRun()
  const reader = await follow([product.url], product.admin.token)
  const cuts = 5
  for (let cut = 0; cut < cuts; cut += 1) {
    const { rowCount } = await query(
      product.database.connection,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query = 'LISTEN kelid_events'`,
    )
    expect(rowCount).toBe(2)
    await writeLog(product.ctx, run, `after cut ${cut}`, [])
    await until(() => numbersOf(reader.events, run).length > cut, 'the line after the cut', 10_000)
    await until(async () => (await listening()) === 2, 'both to listen again')
  }
  reader.stop()
  expect(numbersOf(reader.events, run)).toEqual(upTo(cuts))
  expect(reader.connections()).toBe(1)
})

async function listening(): Promise<number> {
  const { rows } = await query(
    product.database.connection,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND query = 'LISTEN kelid_events'`,
  )
  return rows[0].count
}
