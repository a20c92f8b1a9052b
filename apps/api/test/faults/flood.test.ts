import { randomUUID } from 'node:crypto'
import { type Call, getUser, getUserAccounts, newAccount, setEnabledBulk } from '@kelid/contract'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Body } from '../calls.ts'
import { type Person, productForEachTest } from '../product.ts'
import { directAccount } from '../sample-hosts.ts'
import { until } from '../until.ts'
import { lockWaiters } from './remote.ts'

const product = productForEachTest()
/** Beside the pool, so that it takes none of its connections. */
let holder: pg.Client
beforeEach(async () => {
  await product.server()
  holder = new pg.Client(product.database.connection)
  await holder.connect()
})
afterEach(() => holder.end())

const aThird = 3
const mayWait = 64

/** Locks the row of a user, whose calls then wait as behind a long bulk operation. */
async function lock({ id }: Person): Promise<void> {
  await holder.query('BEGIN')
  await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id])
}

interface Flood {
  /** What was answered so far. */
  readonly outcomes: string[]
  readonly over: Promise<unknown>
}

function flood<C extends Call>(people: readonly Person[], size: number, call: C, body: () => Body<C>): Flood {
  const outcomes: string[] = []
  const one = async (index: number) => {
    const person = people[index % people.length] as Person
    const reply = await person.call(call, body(), { 'idempotency-key': randomUUID() })
    outcomes.push(reply.errorType ?? 'OK')
  }
  return { outcomes, over: Promise.all(Array.from({ length: size }, (_, index) => one(index))) }
}

const switchOff = () => ({ accountUUIDs: [randomUUID()], accountEnabled: false })

/** How often a call had to wait for a connection during the work. */
async function waitsDuring(work: () => Promise<unknown>): Promise<number> {
  const { pool } = product.ctx
  const { connect } = pool
  let waits = 0
  pool.connect = ((...given: never[]) => {
    if (pool.idleCount === 0 && pool.totalCount >= 10) waits += 1
    return (connect as (...given: never[]) => unknown).apply(pool, given)
  }) as typeof connect
  try {
    await work()
    return waits
  } finally {
    pool.connect = connect
  }
}

const othersAct = async () => {
  for (let round = 0; round < 5; round += 1) {
    const other = await product.person({ points: 1_000 })
    expect((await other.call(getUser, {})).status).toBe(200)
    expect((await other.call(newAccount, directAccount)).status).toBe(200)
    expect((await other.ask(getUserAccounts, {})).items).toHaveLength(1)
  }
}

test.each([150, 250])(
  '%d bulk calls of one reseller at once hold a third of the connections, and nobody else waits for one',
  async (size) => {
    const reseller = await product.person()
    await lock(reseller)
    const waits = await waitsDuring(async () => {
      const standing = flood([reseller], size, setEnabledBulk, switchOff)
      await until(() => standing.outcomes.length === size - aThird - mayWait, 'the rest to be refused')
      expect(new Set(standing.outcomes)).toEqual(new Set(['TOO_MANY_ATTEMPTS']))
      await until(async () => (await lockWaiters(product)) === aThird, 'a third of the connections to wait')
      await othersAct()
      expect(await lockWaiters(product)).toBe(aThird)
      await holder.query('COMMIT')
      await standing.over
      expect(standing.outcomes.filter((outcome) => outcome === 'OK')).toHaveLength(aThird + mayWait)
    })
    expect(waits).toBe(0)
    expect((await reseller.call(setEnabledBulk, switchOff())).status).toBe(200)
  },
)

test('ten sessions of one reseller hold no more than one does', async () => {
  const reseller = await product.person()
  const sessions = [reseller]
  while (sessions.length < 10) sessions.push(await product.again(reseller))
  await lock(reseller)
  const standing = flood(sessions, 150, setEnabledBulk, switchOff)
  await until(async () => (await lockWaiters(product)) === aThird, 'a third of the connections to wait')
  await othersAct()
  expect(await lockWaiters(product)).toBe(aThird)
  expect(standing.outcomes).toEqual([])
  await holder.query('COMMIT')
  await standing.over
  expect(new Set(standing.outcomes)).toEqual(new Set(['OK']))
})

test('reads of one session come a few at a time as well', async () => {
  const reseller = await product.person()
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE')
  const standing = flood([reseller], 150, getUserAccounts, () => ({}))
  await until(() => standing.outcomes.length === 150 - aThird - mayWait, 'the rest to be refused')
  await until(async () => (await lockWaiters(product)) === aThird, 'a third of the connections to wait')
  const other = await product.person()
  expect((await other.call(getUser, {})).status).toBe(200)
  await holder.query('COMMIT')
  await standing.over
})

test('a program that asks again at once when it is refused is answered once a second', async () => {
  const reseller = await product.person()
  await lock(reseller)
  const standing = flood([reseller], aThird + mayWait, setEnabledBulk, switchOff)
  await until(async () => (await lockWaiters(product)) === aThird, 'a third of the connections to wait')
  const began = performance.now()
  for (let refusals = 1; refusals <= 2; refusals += 1) {
    const { errorType } = await reseller.call(setEnabledBulk, switchOff())
    expect(errorType).toBe('TOO_MANY_ATTEMPTS')
    expect(performance.now() - began).toBeGreaterThan(refusals * 990)
  }
  await holder.query('COMMIT')
  await standing.over
})
