import { addServer, getUserCredit, newAccount, routes, signIn } from '@kelid/contract'
import { expect, test, vi } from 'vitest'
import { callAt } from '../calls.ts'
import { openForAllTests } from '../hooks.ts'
import { directAccount, sampleServer } from '../sample-hosts.ts'
import { scale } from '../scale.ts'
import { until } from '../until.ts'
import { follow } from './live-stream.ts'
import { ownDatabase, productOn } from './own-database.ts'
import { dataDirForAllTests } from './process-tree.ts'
import { keepBuying } from './purchases.ts'
import { fair, isReady, percentile } from './remote.ts'

const outages = scale(2, 12)
vi.setConfig({ testTimeout: scale(600_000, 900_000) })

const dataDir = dataDirForAllTests()
const database = openForAllTests(() => ownDatabase(dataDir))
const product = openForAllTests(() => productOn(database))

const since = (startedAt: number) => Date.now() - startedAt

/** What every kind of request gets while there is no database: an envelope, soon. */
async function expectRefusals(): Promise<number> {
  const call = callAt(product.url, product.token)
  const startedAt = Date.now()
  const replies = await Promise.all([
    call(getUserCredit, {}),
    call(newAccount, { ...directAccount, accountDuration: 1 }),
    call(addServer, { ...sampleServer(), serverUUID: '00000000-0000-4000-8000-000000000000' }),
    callAt(product.url)(signIn, { email: 'some@example.com', password: 'Some-Password-1' }),
  ])
  for (const reply of replies) expect([reply.status, reply.errorType]).toEqual([503, 'UNAVAILABLE'])
  const headers = { authorization: `Bearer ${product.token}` }
  const stream = await fetch(new URL(routes.events.path, product.url), { headers })
  expect([stream.status, await stream.json()]).toMatchObject([503, { response: { httpCode: 503 } }])
  return since(startedAt)
}

test('the product notices a stopped or crashed database, refuses calls, recovers, and loses nothing', async () => {
  const [noticed, refused, recovered]: number[][] = [[], [], []]
  const reader = await follow([product.url], product.token)
  const purchases = keepBuying(product.url, product.token, { buyers: 4, tag: 'buyer' })
  for (let outage = 0; outage < outages; outage += 1) {
    const enough = purchases.acknowledged().length + 10
    await until(() => purchases.acknowledged().length >= enough, 'some purchases')
    await (outage % 2 ? database.crash() : database.stop())
    const stoppedAt = Date.now()
    await until(async () => !(await isReady(product.url)), 'not to be ready')
    noticed?.push(since(stoppedAt))
    for (let round = 0; round < 5; round += 1) refused?.push(await expectRefusals())

    await database.start()
    const startedAt = Date.now()
    await until(() => isReady(product.url), 'to be ready again')
    const before = purchases.acknowledged().length
    await until(() => purchases.acknowledged().length > before, 'a purchase')
    recovered?.push(since(startedAt))
  }
  await purchases.stop()
  const names = purchases.acknowledged()
  const accountEvents = () => reader.events.filter(({ type }) => type === 'account').length
  await until(() => accountEvents() >= names.length, 'an event for every purchase')
  reader.stop()
  expect(accountEvents()).toBe(names.length)
  expect(product.child.exitCode).toBe(null)
  await database.expectExactly(names)
  const longest = (times: number[] = []) => Math.max(...times)
  console.log(
    `${outages} outages: noticed after ${longest(noticed)} ms, five refusals within ${percentile(refused ?? [], 0.95)} ms (p95), ` +
      `selling again after ${longest(recovered)} ms; ${names.length} purchases, ${reader.connections()} connections of the reader`,
  )
  expect(longest(noticed)).toBeLessThan(fair(2_000))
  expect(longest(refused)).toBeLessThan(fair(3_000))
  expect(longest(recovered)).toBeLessThan(fair(5_000))
})

test('transaction numbers that a crash reuses hide no event', async () => {
  const call = callAt(product.url, product.token)
  const buy = async (accountName: string) =>
    (await call(newAccount, { ...directAccount, accountName, accountDuration: 1 })).status === 200
  await until(() => buy('before'), 'a purchase')
  await database.ask('CHECKPOINT')
  await database.ask(
    'DO $$ BEGIN FOR i IN 1..300 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$',
  )
  const late = await follow([product.url], product.token)
  await database.crash()
  await database.start()
  await until(() => buy('after'), 'a purchase after the crash')
  await until(() => late.events.length >= 2, 'its events')
  late.stop()
  expect(late.events.map(({ type }) => type).sort()).toEqual(['account', 'balance'])
})

test('the product stops in good order while there is no database', async () => {
  const lonely = await productOn(database)
  await database.stop()
  const toldAt = Date.now()
  expect(await lonely.kill('SIGTERM')).toBe(0)
  expect(since(toldAt)).toBeLessThan(fair(10_000))
  await database.start()
})
