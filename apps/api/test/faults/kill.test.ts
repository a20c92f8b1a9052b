import { once } from 'node:events'
import { addPlan } from '@kelid/contract'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { attachEmbedded } from '../../src/db/embedded/embedded.ts'
import { testClock } from '../clock.ts'
import { databaseForAllTests } from '../database.ts'
import { type ProductProcess, startProcess } from '../process.ts'
import { openProduct } from '../product.ts'
import { freePort } from '../real/ports.ts'
import { isLong, scale, seedOf } from '../scale.ts'
import { until } from '../until.ts'
import { ownDatabase } from './own-database.ts'
import { dataDirForAllTests, killTree } from './process-tree.ts'
import { dayPlan, expectExactly, furnish, keepBuying, pointsGiven } from './purchases.ts'
import { random } from './random.ts'
import { fair, isReady, percentile } from './remote.ts'

const kills = scale(3, 100)
const treeKills = scale(2, 25)
vi.setConfig({ testTimeout: scale(600_000, 1_800_000) })

interface Trial {
  url: string
  token: string
  kills: number
  start(): Promise<ProductProcess>
  kill(product: ProductProcess): Promise<void>
  connection(): Promise<pg.ClientConfig>
}

/** Kills at the very moment a purchase is written, when its answer is still to be sent. */
async function killAtCommit(product: ProductProcess, trial: Trial): Promise<void> {
  const watch = new pg.Client(await trial.connection())
  watch.on('error', () => {})
  await watch.connect()
  await watch.query('LISTEN kelid_events')
  await once(watch, 'notification')
  product.child.kill('SIGKILL')
  await trial.kill(product)
  await watch.end().catch(() => {})
}

/** Kills it in the middle of buying, again and again, and says how long it took to be back each time. */
async function killAgainAndAgain(first: ProductProcess, trial: Trial, seed: number) {
  const dice = random(seed)
  let product = first
  const purchases = keepBuying(trial.url, trial.token, { buyers: 8, tag: 'buyer', byPlan: true })
  const backAfter: number[] = []
  for (let kill = 0; kill < trial.kills; kill += 1) {
    const enough = purchases.acknowledged().length + dice.whole(5, 60)
    await until(() => purchases.acknowledged().length >= enough, 'some purchases')
    await (dice.chance(0.7) ? killAtCommit(product, trial) : trial.kill(product))
    const killedAt = Date.now()
    product = await trial.start()
    await until(() => isReady(trial.url), 'the product to be ready again')
    backAfter.push(Date.now() - killedAt)
  }
  await purchases.stop()
  console.log(
    `${trial.kills} kills, ${purchases.acknowledged().length} purchases, ${purchases.retries()} tries without an answer ` +
      `(${purchases.doneBefore()} of them done all the same), ` +
      `ready again after ${percentile(backAfter, 0.5)} ms (median), ${percentile(backAfter, 0.95)} ms (p95)`,
  )
  // Of a few kills the slowest says more about the machine than about the product.
  expect(percentile(backAfter, isLong ? 0.95 : 0.5)).toBeLessThan(fair(3_000))
  return { product, acknowledged: purchases.acknowledged() }
}

const database = databaseForAllTests()
const dataDir = dataDirForAllTests()

test('the product killed under load loses no acknowledged purchase and charges none twice', async () => {
  const seed = seedOf('kill -9')
  const setUp = await openProduct({ database, clock: testClock(new Date()) })
  await setUp.server({ serverMaxAccounts: 100_000 })
  await setUp.admin.ask(addPlan, dayPlan)
  const { token } = await setUp.person({ points: pointsGiven })
  const port = String(await freePort())
  const start = () => startProcess({ PORT: port, DATABASE_URL: database.url })
  const kill = async (product: ProductProcess) => void (await product.kill('SIGKILL'))
  const connection = async () => database.connection
  const trial = { url: `http://127.0.0.1:${port}`, token, kills, start, kill, connection }
  const { product, acknowledged } = await killAgainAndAgain(await start(), trial, seed)
  await product.kill('SIGTERM')
  await expectExactly(setUp.ctx.db, acknowledged)
  await setUp.close()
})

test('the product and its embedded database killed together come back with everything', async () => {
  const seed = seedOf('kill -9 of the whole tree')
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const start = () => startProcess({ PORT: port, KELID_DATA_DIR: dataDir })
  const first = await start()
  const connection = async () => (await attachEmbedded(dataDir))?.owner ?? {}
  const trial = { url, token: await furnish(url), kills: treeKills, start, kill: killTree, connection }
  const { product, acknowledged } = await killAgainAndAgain(first, trial, seed)
  await product.kill('SIGTERM')
  const database = await ownDatabase(dataDir)
  await database.expectExactly(acknowledged)
  await database.stop()
})
