import { randomUUID } from 'node:crypto'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  addServer,
  adjustUserCredit,
  getServer,
  getStatement,
  getUser,
  getUserAccounts,
  newAccount,
  setServerReady,
  signIn,
  signUp,
} from '@kelid/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/database.ts'
import { type ProductProcess, startProcess } from '../../test/process.ts'
import { testEnvironment } from '../../test/product.ts'
import { directAccount, sampleServer } from '../../test/sample-hosts.ts'
import { until } from '../../test/until.ts'
import { temporaryFolder } from '../db/backup/backup.fixture.ts'
import { ask, passwordIn, runKelid } from './cli.fixture.ts'

const ownKey = { KELID_SECRET_KEY: '' }
const reseller = { email: 'sara@example.com', password: 'Aa1-some-long-words' }
const admin = { email: testEnvironment.KELID_ADMIN_EMAIL, password: testEnvironment.KELID_ADMIN_PASSWORD }

async function startServer(env: Record<string, string>): Promise<ProductProcess> {
  const server = await startProcess(env)
  onTestFinished(async () => void (await server.kill('SIGTERM')))
  return server
}

/** The worker has had its turn with it. */
const isSettled = async (url: string, serverUUID: string, token: string) =>
  ['ready', 'failed'].includes((await ask(url, getServer, { serverUUID }, token)).serverState)

async function sell(url: string): Promise<void> {
  const { token } = await ask(url, signIn, admin)
  const serverUUID = randomUUID()
  await ask(url, addServer, { ...sampleServer(), serverUUID }, token)
  await until(() => isSettled(url, serverUUID, token))
  await ask(url, setServerReady, { serverUUID, reason: 'set up by hand' }, token)
  await ask(url, signUp, reseller)
  await ask(url, adjustUserCredit, { userEmail: reseller.email, amount: 900, reason: 'cash' }, token)
  const { token: own } = await ask(url, signIn, reseller)
  await ask(url, newAccount, directAccount, own)
}

/** What the reseller sees after signing in again. */
async function visit(url: string) {
  const { token } = await ask(url, signIn, reseller)
  const { items: accounts } = await ask(url, getUserAccounts, {}, token)
  const { items: entries } = await ask(url, getStatement, {}, token)
  return { token, accounts, entries }
}

test('commands work beside the running server and when it is stopped', async () => {
  const dataDir = join(await temporaryFolder(), 'data')
  const env = { KELID_DATA_DIR: dataDir, ...ownKey }
  const first = await runKelid(['create-admin', 'boss@example.com'], env)
  expect(first).toMatchObject({ code: 0 })
  expect(first.stderr).toMatch(/Creating the database/)

  let server = await startServer(env)
  expect(server.output()).not.toContain('The first administrator')
  const { token } = await ask(server.url, signIn, { email: 'boss@example.com', password: passwordIn(first) })
  const beside = await runKelid(['reset-password', 'boss@example.com'], env)
  expect(beside).toMatchObject({ code: 0, stderr: '' })
  await expect(ask(server.url, getUser, {}, token)).rejects.toMatchObject({ type: 'UNAUTHENTICATED' })
  expect(await runKelid(['check'], env)).toMatchObject({ code: 0 })
  expect(await runKelid(['backup', `${dataDir}.gz`], env)).toMatchObject({ code: 0 })
  expect((await runKelid(['restore', `${dataDir}.gz`], env)).stderr).toMatch(/The database is not empty/)
  expect(await server.kill('SIGTERM')).toBe(0)

  const stopped = await runKelid(['reset-password', 'boss@example.com'], env)
  expect(stopped).toMatchObject({ code: 0 })
  expect(await runKelid(['backup', `${dataDir}.2.gz`], env)).toMatchObject({ code: 0 })
  server = await startServer(env)
  await ask(server.url, signIn, { email: 'boss@example.com', password: passwordIn(stopped) })
  await server.kill('SIGTERM')
})

test('an installation moves from the embedded database to a server and back', async () => {
  const folder = await temporaryFolder()
  const homes = ['first', 'second', 'third'].map((name) => join(folder, name)) as [string, string, string]
  const database = await createDatabase({ isEmpty: true })
  const moveKey = async (from: string, to: string) => {
    await mkdir(to)
    await copyFile(join(from, 'secret.key'), join(to, 'secret.key'))
  }

  const source = await startServer({ KELID_DATA_DIR: homes[0], ...ownKey })
  await sell(source.url)
  const before = await visit(source.url)
  const pending = randomUUID()
  const { token } = await ask(source.url, signIn, admin)
  const made = await runKelid(['backup', join(folder, 'a.gz')], { KELID_DATA_DIR: homes[0], ...ownKey })
  expect(made.stdout).toContain(`Keep a copy of ${join(homes[0], 'secret.key')} apart from it`)

  await moveKey(homes[0], homes[1])
  const onServer = { DATABASE_URL: database.url, KELID_DATA_DIR: homes[1], ...ownKey }
  expect(await runKelid(['restore', join(folder, 'a.gz')], onServer)).toMatchObject({ code: 0 })
  const moved = await startServer(onServer)
  expect(moved.output()).not.toContain('The first administrator')
  await expect(ask(moved.url, getUser, {}, before.token)).rejects.toMatchObject({ type: 'UNAUTHENTICATED' })
  await expect(ask(moved.url, getUser, {}, token)).rejects.toMatchObject({ type: 'UNAUTHENTICATED' })
  const there = await visit(moved.url)
  expect(there).toMatchObject({ accounts: before.accounts, entries: before.entries })
  await ask(moved.url, newAccount, { ...directAccount, accountName: 'second' }, there.token)
  const { token: again } = await ask(moved.url, signIn, admin)
  await ask(moved.url, addServer, { ...sampleServer(), serverUUID: pending }, again)
  const later = await visit(moved.url)
  expect(await runKelid(['backup', join(folder, 'b.gz')], onServer)).toMatchObject({ code: 0 })

  await moveKey(homes[1], homes[2])
  const back = { KELID_DATA_DIR: homes[2], ...ownKey }
  expect(await runKelid(['restore', join(folder, 'b.gz')], back)).toMatchObject({ code: 0 })
  const home = await startServer(back)
  expect(await visit(home.url)).toMatchObject({ accounts: later.accounts, entries: later.entries })
  const { token: last } = await ask(home.url, signIn, admin)
  await until(() => isSettled(home.url, pending, last))
  expect(await runKelid(['check'], back)).toMatchObject({ code: 0 })

  await moved.kill('SIGTERM')
  await database.close()
})
