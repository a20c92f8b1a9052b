import { spawn } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Call,
  getAnyAccounts,
  getCompensations,
  getDashboard,
  getHostFigures,
  getHostRuns,
  getServerLog,
  getServers,
  getTunnels,
  getUser,
  getUserDebt,
  getUsers,
  patterns,
  signIn,
  type UserFilter,
} from '@kelid/contract'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Body } from '../../test/calls.ts'
import { runningClock } from '../../test/clock.ts'
import { createDatabase, databaseForAllTests, query } from '../../test/database.ts'
import { folderForAllTests } from '../../test/hooks.ts'
import { openProduct, productForAllTests, testEnvironment } from '../../test/product.ts'
import { until } from '../../test/until.ts'
import { inContext, temporaryFolder } from '../db/backup/backup.fixture.ts'
import { findBrokenAudit } from '../features/audit/audit.ts'
import { findImbalances } from '../features/credit/credit.ts'
import { packageRoot } from '../lib/package-root.ts'
import { type Login, openDemo } from './open-demo.ts'

const quiet = { say: () => {}, share: 0.1 }
const folder = folderForAllTests()
const database = databaseForAllTests({ isEmpty: true })
let logins: Login[]
beforeAll(async () => {
  logins = await inContext(database, folder, (ctx) => openDemo(ctx, quiet))
})
const product = productForAllTests(() => ({ database, clock: runningClock() }))
let token: string
beforeAll(async () => {
  token = await enter(logins[0] as Login)
})

/** Asks as the administrator of the demo. */
const ask = async <C extends Call>(call: C, body: Body<C>) =>
  (await product.call(call, body, { token })).answer()
const enter = async ({ email, password }: Login) =>
  (await product.call(signIn, { email, password })).answer().token

test('the demo has people, accounts in every state, hosts in every state, debts and rates', async () => {
  const dashboard = await ask(getDashboard, {})
  for (const [state, count] of Object.entries(dashboard.accounts)) expect(count, state).toBeGreaterThan(0)
  for (const hosts of [dashboard.servers, dashboard.tunnels])
    for (const [state, count] of Object.entries({ ...hosts })) expect(count, state).toBeGreaterThan(0)
  expect(dashboard.totalDebt).toBeGreaterThan(0)
  expect(dashboard.lastFailures.length).toBeGreaterThan(0)
  const { items: users } = await ask(getUsers, { limit: 100 })
  expect(users.filter(({ userEmail }) => /@example\.(com|net|org)$/.test(userEmail)).length).toBeGreaterThan(
    12,
  )
  const { items: accounts } = await ask(getAnyAccounts, { limit: 200 })
  for (const { accountName } of accounts) expect(accountName).toMatch(patterns.accountName)
  expect(users.some(({ userCustomCreditRate }) => userCustomCreditRate !== null)).toBe(true)
  const { items: servers } = await ask(getServers, {})
  const hostUUID = servers.find(
    ({ serverAccounts, serverHealth }) => serverAccounts > 0 && serverHealth === 'up',
  )?.serverUUID
  const figures = await ask(getHostFigures, { hostUUID: hostUUID ?? '' })
  expect(figures).toMatchObject({ coreVersion: '26.3.27', agentSilent: false })
  expect(figures.hostTrafficMonth.down).toBeGreaterThan(0)
  expect(new Set(servers.map(({ country }) => country.countryId)).size).toBeGreaterThan(5)
  expect(new Set(servers.map(({ serverHealth }) => serverHealth))).toEqual(new Set(['up', 'unknown']))
  const { items: tunnels } = await ask(getTunnels, {})
  expect(tunnels.length).toBeGreaterThan(4)
})

test('hosts have a history: paused and full ones, failed and cancelled runs, a compensated outage', async () => {
  const { items: servers } = await ask(getServers, {})
  expect(servers.some(({ serverPaused }) => serverPaused)).toBe(true)
  expect((await ask(getServers, { room: 'full' })).items).toHaveLength(1)
  const statesOf = async (name: string) => {
    const { serverUUID = '' } = servers.find(({ serverName }) => serverName === name) ?? {}
    const { items } = await ask(getHostRuns, { hostUUID: serverUUID })
    return items.map(({ runState }) => runState)
  }
  expect(await statesOf('fra-1')).toContain('failed')
  expect(await statesOf('par-1')).toContain('cancelled')
  const { items: compensations } = await ask(getCompensations, {})
  expect(compensations).toMatchObject([{ compensationState: 'finished', compensationSubjectName: 'ams-1' }])
  expect(compensations[0]?.compensationDone).toBeGreaterThan(0)
})

test.each<UserFilter>(['debtors', 'suspended', 'customRate', 'admins'])(
  'some users are %s',
  async (filter) => {
    expect((await ask(getUsers, { filter })).items.length).toBeGreaterThan(0)
  },
)

test('money and audit add up, and the ledger covers months', async () => {
  expect(await findImbalances(product.ctx.db)).toEqual([])
  expect(await findBrokenAudit(product.ctx.db)).toBeNull()
  const rows = await product.sql(
    `SELECT extract(day FROM max(at) - min(at))::int AS days,
            bool_and(at <= now()) AND bool_and(ordered) AS sound
     FROM (SELECT at, at >= coalesce(lag(at) OVER (ORDER BY id), at) AS ordered FROM ledger_transactions) t`,
  )
  expect(rows[0].days).toBeGreaterThan(150)
  expect(rows[0].sound).toBe(true)
})

test('an abused account carries its evidence, and every log says that it is an example', async () => {
  const rows = await product.sql('SELECT abuse_devices FROM accounts WHERE abused AND NOT enabled')
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row.abuse_devices).toBeGreaterThan(2)
  const { items } = await ask(getServers, {})
  for (const { serverUUID, serverState } of items.filter(({ serverState }) => serverState !== 'queued')) {
    const { ansibleLog } = await ask(getServerLog, { serverUUID })
    expect(ansibleLog, serverState).toMatch(/^This is an example from the demo\. No host was contacted/)
  }
})

test('every login works, and the passwords are in a file that only its owner can read', async () => {
  for (const login of logins)
    expect((await product.call(getUser, {}, { token: await enter(login) })).answer()).toMatchObject({
      userEmail: login.email,
    })
  const debtor = logins.find(({ who }) => who.includes('debt')) as Login
  const debt = await product.call(getUserDebt, {}, { token: await enter(debtor) })
  expect(debt.answer().userDebtLimit).toBeGreaterThan(0)
  expect(new Set(logins.map(({ password }) => password)).size).toBe(logins.length)
  expect((await stat(join(folder, 'demo-logins.json'))).mode & 0o777).toBe(0o600)
})

test('an existing demo is used again; without its logins the program explains what to do', async () => {
  const before = await product.sql('SELECT count(*) FROM accounts')
  expect(await inContext(database, folder, (ctx) => openDemo(ctx, quiet))).toEqual(logins)
  expect(await product.sql('SELECT count(*) FROM accounts')).toEqual(before)
  const elsewhere = await temporaryFolder()
  await expect(inContext(database, elsewhere, (ctx) => openDemo(ctx, quiet))).rejects.toThrow(
    /logins cannot be read .*Remove .* to fill the demo again/,
  )
})

test('a database with users of its own is never filled', async () => {
  const own = await openProduct()
  const dataDir = await temporaryFolder()
  const before = await own.sql('SELECT count(*) FROM users')
  await expect(inContext(own.database, dataDir, (ctx) => openDemo(ctx, quiet))).rejects.toThrow(
    /has users of its own, and the demo fills only an empty one/,
  )
  expect(await own.sql('SELECT count(*) FROM users')).toEqual(before)
  await own.close()
})

test('a fill that fails leaves nothing behind', async () => {
  const fresh = await createDatabase({ isEmpty: true })
  await inContext(fresh, folder, async (ctx) => {
    const broken = { ...ctx, config: { ...ctx.config, KELID_DATA_DIR: join(folder, 'not/there') } }
    await expect(openDemo(broken, { ...quiet, share: 0 })).rejects.toThrow(/ENOENT/)
  })
  const { rows } = await query(
    fresh.connection,
    `SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM audit WHERE actor <> 'start')
            + (SELECT count(*) FROM servers) AS left_over`,
  )
  expect(rows[0].left_over).toBe('0')
  await fresh.close()
})

test('the program prints its logins and its address', async () => {
  const child = spawn(process.execPath, [join(packageRoot, 'run.mjs'), 'demo'], {
    env: {
      PATH: process.env.PATH,
      ...testEnvironment,
      KELID_WEB_DIR: '',
      DATABASE_URL: database.url,
      KELID_DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await until(() => output.includes('Kelid is ready at http'))
  for (const { email, password } of logins) expect(output).toMatch(new RegExp(`${email} +${password}`))
  const stored = await readFile(join(folder, 'demo-logins.json'), 'utf8')
  child.kill('SIGTERM')
  await until(() => child.exitCode !== null)
  expect(child.exitCode).toBe(0)
  expect(await readFile(join(folder, 'demo-logins.json'), 'utf8')).toBe(stored)
  await rm(join(folder, 'demo-logins.json'))
})
