import { randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  getUser,
  type LiveEvent,
  newAccount,
  setServerReady,
  signIn,
  signOut,
  signUp,
} from '@kelid/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callAt } from '../calls.ts'
import { testClock } from '../clock.ts'
import { createDatabase, query, type TestDatabase } from '../database.ts'
import { type ProductProcess, startProcess } from '../process.ts'
import { openProduct, type Product } from '../product.ts'
import { directAccount, sampleServer, sampleTunnel } from '../sample-hosts.ts'
import { until } from '../until.ts'
import { follow } from './live-stream.ts'

vi.setConfig({ testTimeout: 120_000 })

let database: TestDatabase
let product: Product
let processes: ProductProcess[]
let [a, b] = ['', '']
beforeAll(async () => {
  database = await createDatabase()
  product = await openProduct({ database, clock: testClock(new Date()) })
  const roles = ['api', 'api', 'worker', 'worker']
  processes = await Promise.all(
    roles.map((KELID_ROLE) => startProcess({ KELID_ROLE, DATABASE_URL: database.url })),
  )
  a = processes[0]?.url ?? ''
  b = processes[1]?.url ?? ''
})
afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill('SIGTERM')))
  await product.close()
  await database.close()
})

test('hosts added through both instances are each provisioned once, and their log reaches everybody who watches', async () => {
  const { token } = product.admin
  const watchers = [await follow([a], token), await follow([b], token)]
  const uuids = Array.from({ length: 12 }, () => randomUUID())
  await Promise.all(
    uuids.map((uuid, index) => {
      const at = callAt(index % 2 ? a : b, token)
      return index % 3
        ? at(addServer, { ...sampleServer(), serverUUID: uuid })
        : at(addTunnel, { ...sampleTunnel(), tunnelUUID: uuid })
    }),
  )
  const runs = async () =>
    (
      await query(
        database.connection,
        `SELECT subject_uuid AS uuid, state, attempts, lines, (SELECT count(*)::int FROM provision_lines l
         WHERE l.run_uuid = r.uuid) AS kept FROM provision_runs r WHERE subject_uuid = ANY ($1)`,
        [uuids],
      )
    ).rows
  await until(
    async () => (await runs()).every(({ state }) => state !== 'queued' && state !== 'running'),
    'all runs to end',
    60_000,
  )
  const ended = await runs()
  expect(ended.map(({ uuid }) => uuid).sort()).toEqual([...uuids].sort())
  const lines = ended.reduce((sum, run) => sum + run.lines, 0)
  expect(lines).toBeGreaterThan(0)
  for (const run of ended) expect([run.attempts, run.kept]).toEqual([1, run.lines])

  const logLines = (events: readonly LiveEvent[]) =>
    events.flatMap((event) => (event.type === 'log' ? [`${event.uuid} ${event.number}`] : []))
  for (const watcher of watchers) {
    await until(() => logLines(watcher.events).length >= lines, 'every line')
    watcher.stop()
    expect(logLines(watcher.events)).toHaveLength(lines)
    expect(new Set(logLines(watcher.events)).size).toBe(lines)
  }
  expect(logLines(watchers[0]?.events ?? [])).toEqual(logLines(watchers[1]?.events ?? []))
})

test('a change through one instance reaches a reader at the other', async () => {
  const serverUUID = randomUUID()
  const admin = callAt(b, product.admin.token)
  ;(await admin(addServer, { ...sampleServer(), serverUUID })).answer()
  await until(
    async () =>
      (
        await query(database.connection, `SELECT FROM servers WHERE uuid = $1 AND state = 'failed'`, [
          serverUUID,
        ])
      ).rowCount === 1,
    'the run to end',
  )
  ;(await admin(setServerReady, { serverUUID, reason: 'by hand' })).answer()
  const user = await product.person({ points: 100 })
  const there = await follow([b], user.token)
  const { accountUUID } = (
    await callAt(a, user.token)(newAccount, { ...directAccount, accountDuration: 1 })
  ).answer()
  await until(() => there.events.length >= 2, 'both events')
  there.stop()
  expect(there.events).toContainEqual({ type: 'account', accountUUID })
  expect(there.events).toContainEqual({ type: 'balance' })
})

test('a session is valid at both instances, and ends at both', async () => {
  const credentials = { email: 'shared@example.com', password: 'Shared-Session-1' }
  expect((await callAt(a)(signUp, credentials)).status).toBe(200)
  const { token } = (await callAt(a)(signIn, credentials)).answer()
  const stream = await follow([a], token)
  expect((await callAt(b, token)(getUser, {})).answer().userEmail).toBe(credentials.email)
  expect((await callAt(b, token)(signOut, {})).status).toBe(200)
  expect((await callAt(a, token)(getUser, {})).errorType).toBe('UNAUTHENTICATED')
  await until(() => stream.connections() > 1, 'the stream at the other instance to end')
  stream.stop()
})

test('both instances count failed sign-ins together', async () => {
  const email = 'guessed@example.com'
  expect((await callAt(a)(signUp, { email, password: 'Not-Guessed-22' })).status).toBe(200)
  const answers: (string | undefined)[] = []
  for (let attempt = 0; attempt < 10 && !answers.includes('TOO_MANY_ATTEMPTS'); attempt += 1) {
    const at = callAt(attempt % 2 ? a : b)
    answers.push((await at(signIn, { email, password: `Wrong-Guess-${attempt}` })).errorType)
  }
  expect(answers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'WRONG_CREDENTIALS'))
  expect(answers.at(-1)).toBe('TOO_MANY_ATTEMPTS')
})
