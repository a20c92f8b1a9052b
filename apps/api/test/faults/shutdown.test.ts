import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startProcess } from '../process.ts'
import { freePort } from '../real/ports.ts'
import { scale, seedOf } from '../scale.ts'
import { until } from '../until.ts'
import { hammer } from './hammer.ts'
import { openStream } from './live-stream.ts'
import { ownDatabase } from './own-database.ts'
import { dataDirForAllTests, processesOf } from './process-tree.ts'
import { furnish } from './purchases.ts'
import { random } from './random.ts'
import { fair, percentile } from './remote.ts'

const rounds = scale(2, 20)
vi.setConfig({ testTimeout: scale(600_000, 1_800_000) })

const dataDir = dataDirForAllTests()

test('a product that is stopped under load answers every accepted request and leaves nothing behind', async () => {
  const dice = random(seedOf('SIGTERM'))
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const acknowledged: string[] = []
  const took: number[] = []
  let [answers, turnedAway] = [0, 0]
  let token = ''
  for (let round = 0; round < rounds; round += 1) {
    const product = await startProcess({ PORT: port, KELID_DATA_DIR: dataDir })
    token ||= await furnish(url)
    const stream = await openStream(url, token)
    const spare = connect(Number(port), '127.0.0.1').on('error', () => {})
    const clients = hammer(url, token, 16, dice)
    const enough = dice.whole(20, 300)
    await until(() => clients.answers() >= enough, 'some answers')

    const toldAt = Date.now()
    const code = await product.kill(round % 2 ? 'SIGINT' : 'SIGTERM')
    took.push(Date.now() - toldAt)
    await clients.over
    await until(stream.isEnded, 'the stream to end')
    spare.destroy()
    expect(clients.failures).toEqual([])
    expect([code, product.output().match(/"level":[56]0.*/)]).toEqual([0, null])
    expect(processesOf(dataDir)).toEqual([])
    acknowledged.push(...clients.acknowledged)
    answers += clients.answers()
    turnedAway += clients.turnedAway()
  }
  console.log(
    `${rounds} stops, ${answers} answers, 0 failures, ${turnedAway} connections not taken any more, ` +
      `gone after ${percentile(took, 0.5)} ms (median), ${Math.max(...took)} ms (longest)`,
  )
  expect(Math.max(...took)).toBeLessThan(fair(10_000))

  const database = await ownDatabase(dataDir)
  await database.expectExactly(acknowledged)
  await database.stop()
})

test('a product that is stopped at any moment ends with code 0 and leaves no database behind', async () => {
  const dice = random(seedOf('SIGTERM early'))
  for (let round = 0; round < rounds; round += 1) {
    const product = await startProcess({ KELID_DATA_DIR: dataDir })
    await new Promise((resolve) => setTimeout(resolve, dice.whole(0, 700)))
    expect([await product.kill('SIGTERM'), product.output().match(/"level":[56]0.*/)]).toEqual([0, null])
    expect(processesOf(dataDir)).toEqual([])
  }
})

test('a client that sends slowly or reads nothing does not delay the stop', async () => {
  const product = await startProcess({ KELID_DATA_DIR: dataDir })
  const { hostname, port } = new URL(product.url)
  const slow = connect(Number(port), hostname).on('error', () => {})
  slow.write('POST /api/v1/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n')
  const token = await furnish(product.url)
  const deaf = connect(Number(port), hostname).on('error', () => {})
  deaf.write(`GET /api/v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await new Promise((answered) => deaf.once('data', answered))
  deaf.pause()
  const toldAt = Date.now()
  const stopped = product.kill('SIGTERM')
  await until(async () => (await fetch(new URL('/readyz', product.url))).status === 503, 'to say so')
  expect((await fetch(new URL('/healthz', product.url))).headers.get('connection')).toBe('close')
  expect(await stopped).toBe(0)
  expect(Date.now() - toldAt).toBeLessThan(fair(10_000))
  for (const socket of [slow, deaf]) socket.destroy()
})
