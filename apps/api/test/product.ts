import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addServer,
  addTunnel,
  type Call,
  getAudit,
  type Sent,
  type Settings,
  setServerReady,
  setTunnelReady,
} from '@kelid/contract'
import type { Selectable, Updateable } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { openDatabase } from '../src/db/database.ts'
import type { Schema } from '../src/db/schema.ts'
import { markAbused } from '../src/demo/demo.store.ts'
import { post } from '../src/features/credit/ledger.store.ts'
import { openHub } from '../src/features/events/hub.ts'
import { writeSettings } from '../src/features/settings/settings.store.ts'
import { currentSettings } from '../src/features/settings/settings.ts'
import { regularJobs } from '../src/jobs/regular.ts'
import { runRegular } from '../src/jobs/worker.ts'
import { loggerOptions } from '../src/lib/logger.ts'
import { createPasswords, type Passwords } from '../src/lib/passwords.ts'
import { hashOf, randomToken } from '../src/lib/tokens.ts'
import { prepare } from '../src/start.ts'
import { type Body, type CallAt, callAt, type Reply } from './calls.ts'
import { type TestClock, testClock } from './clock.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { openForAllTests, openForEachTest } from './hooks.ts'
import { sampleServer, sampleTunnel } from './sample-hosts.ts'

export interface Person {
  readonly id: number
  readonly email: string
  readonly token: string
  readonly call: CallAt
  /** The answer alone; throws when the call was refused. */
  ask<C extends Call>(call: C, body: Body<C>, headers?: Record<string, string>): Promise<Sent<C>>
  /** The type of the refusal; undefined when the call was answered. */
  refusal<C extends Call>(
    call: C,
    body: Body<C>,
    headers?: Record<string, string>,
  ): Promise<string | undefined>
}

type TableWithUuid = 'accounts' | 'servers' | 'tunnels' | 'provision_runs'

export interface Product {
  readonly url: string
  readonly listener: Server
  readonly ctx: Context
  readonly clock: TestClock
  readonly database: TestDatabase
  /** Everything the product has logged, as text. */
  readonly logs: string[]
  readonly admin: Person
  call<C extends Call>(
    call: C,
    body: Body<C>,
    options?: { token?: string; headers?: Record<string, string> },
  ): Promise<Reply<C>>
  raw(path: string, init?: RequestInit): Promise<Response>
  /** A user with a session, without the cost of a password. */
  person(options?: {
    level?: number
    points?: number
    tunnelCredit?: number
    debtLimit?: number
  }): Promise<Person>
  /** The same person with a new session, as after signing in again. */
  again(person: Person): Promise<Person>
  /** A ready server, and for tunnelled types use with a ready tunnel. */
  server(change?: Partial<Body<typeof addServer>>): Promise<string>
  tunnel(change?: Partial<Body<typeof addTunnel>>): Promise<string>
  settings(change: Partial<Settings>): Promise<void>
  /** The rows that a statement returns. */
  sql(text: string, ...values: unknown[]): Promise<pg.QueryResult['rows']>
  /** The row itself, for what no call shows or sets. */
  row<T extends TableWithUuid>(table: T, uuid: string): Promise<Selectable<Schema[T]>>
  setRow<T extends TableWithUuid>(table: T, uuid: string, change: Updateable<Schema[T]>): Promise<void>
  /** As the rule against sharing leaves an account. */
  abuse(accountUUID: string): Promise<void>
  lastAudit(): Promise<Sent<typeof getAudit>['items'][number] | undefined>
  /** Runs a regular job once. */
  job(name: string): Promise<void>
  close(): Promise<void>
}

export interface ProductOptions {
  env?: Record<string, string>
  /** Another instance on a database that is there already. */
  database?: TestDatabase
  clock?: TestClock
  /** Those of the product cost what a guess shall cost, so only tests of that very thing ask for them. */
  passwords?: Passwords
}

export const testEnvironment = {
  PORT: '0',
  KELID_METRICS_PORT: '0',
  KELID_AGENT_PORT: '0',
  KELID_LOG_LEVEL: 'info',
  /** The hosts of tests do not exist, so nothing is sent to their addresses. */
  KELID_PROBES: 'no',
  /** No client is served unless a test brings one, built or not. */
  KELID_WEB_DIR: join(tmpdir(), 'kelid-no-web-client'),
  KELID_SECRET_KEY: randomBytes(32).toString('hex'),
  KELID_ADMIN_EMAIL: 'first@kelid.lan',
  KELID_ADMIN_PASSWORD: `Aa1-${randomBytes(9).toString('base64url')}`,
}

/** A ledger transaction without an actor, as tests give credit. */
export const adjustmentOf = (userId: number, at: Date, points: number, tunnelCredit = 0) => ({
  ...{ at, movement: 'adjustment' as const, userId, actor: 'system' as const, actorEmail: null },
  ...{ reason: 'for the test', accountUUID: null, accountName: null, points, tunnelCredit, cents: 0 },
})

/** The real server on a database of its own, in this process, answering over HTTP. */
export async function openProduct({
  env = {},
  database: given,
  clock = testClock(),
  passwords = createPasswords({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } }),
}: ProductOptions = {}): Promise<Product> {
  const database = given ?? (await createDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'kelid-product-'))
  const config: Config = readConfig({ ...testEnvironment, KELID_DATA_DIR: dataDir, ...env })
  const logs: string[] = []
  const log = pino(loggerOptions(config.KELID_LOG_LEVEL), { write: (line) => void logs.push(line) })
  const pool = openDatabase({ ...database.connection, max: config.KELID_DATABASE_CONNECTIONS }, log)
  const ctx = await prepare(config, pool, {
    log,
    say: () => {},
    clock,
    passwords,
    owner: database.owner ?? null,
  })
  const hub = await openHub(ctx, database.connection)
  const { server } = await createApp(ctx, hub, { isStopping: false })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

  const sql: Product['sql'] = async (text, ...values) => (await pool.pool.query(text, values)).rows

  async function person({ level = 1, points = 0, tunnelCredit = 0, debtLimit = 0 } = {}): Promise<Person> {
    const email = `u${randomBytes(5).toString('hex')}@example.com`
    const now = clock.now()
    const [{ id }] = await sql(
      `INSERT INTO users (email, password_hash, level, debt_limit_cents, created_at)
       VALUES ($1, 'none', $2, $3, $4) RETURNING id`,
      ...[email, level, debtLimit * 100, now],
    )
    await post(ctx.db, adjustmentOf(id, now, points, tunnelCredit))
    return signedIn(id, email)
  }

  async function signedIn(id: number, email: string): Promise<Person> {
    const token = randomToken(256)
    await sql(
      `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, user_agent, address)
       VALUES ($1, $2, $3, $4, $4, 'test', '127.0.0.1')`,
      ...[randomUUID(), id, hashOf(token), clock.now()],
    )
    const call = callAt(url, token)
    return {
      ...{ id, email, token, call },
      ask: async (...request) => (await call(...request)).answer(),
      refusal: async (...request) => (await call(...request)).errorType,
    }
  }

  const admin = await person({ level: 10 })
  return {
    url,
    listener: server.server,
    ctx,
    clock,
    database,
    logs,
    admin,
    call: (call, body, { token, headers } = {}) => callAt(url, token)(call, body, headers),
    raw: (path, init) => fetch(new URL(path, url), init),
    person,
    again: ({ id, email }) => signedIn(id, email),
    async server({ serverUUID = randomUUID(), ...change } = {}) {
      await admin.ask(addServer, { ...sampleServer(), serverUUID, ...change })
      await admin.ask(setServerReady, { serverUUID, reason: 'set up by hand' })
      return serverUUID
    },
    async tunnel(change = {}) {
      const tunnelUUID = randomUUID()
      await admin.ask(addTunnel, { ...sampleTunnel(), tunnelUUID, ...change })
      await admin.ask(setTunnelReady, { tunnelUUID, reason: 'set up by hand' })
      return tunnelUUID
    },
    settings: async (change) =>
      writeSettings(ctx.db, { ...(await currentSettings(ctx.db)), ...change }, clock.now()),
    sql,
    row: (table, uuid) =>
      ctx.db
        .selectFrom(table as 'servers')
        .selectAll()
        .where('uuid', '=', uuid)
        .executeTakeFirstOrThrow() as never,
    async setRow(table, uuid, change) {
      await ctx.db
        .updateTable(table as 'servers')
        .set(change as object)
        .where('uuid', '=', uuid)
        .execute()
    },
    abuse: (accountUUID) => markAbused(ctx.db, accountUUID, 7, clock.now()),
    lastAudit: async () =>
      (await (await signedIn(admin.id, admin.email)).ask(getAudit, { limit: 1 })).items[0],
    async job(name) {
      const job = regularJobs.find((one) => one.name === name)
      if (!job) throw new Error(`no regular job ${name}`)
      await runRegular(ctx, job)
    },
    async close() {
      await server.close()
      await hub.close()
      await ctx.jobs.boss.stop({ graceful: false })
      await pool.close()
      await rm(dataDir, { recursive: true, force: true })
      if (!given) await database.close()
    },
  }
}

/** As a function where they depend on what other hooks open. */
export type OptionsOfTests = ProductOptions | (() => ProductOptions)
const optionsOf = (options: OptionsOfTests = {}) => (typeof options === 'function' ? options() : options)

export const productForAllTests = (options?: OptionsOfTests) =>
  openForAllTests(() => openProduct(optionsOf(options)))
export const productForEachTest = (options?: OptionsOfTests) =>
  openForEachTest(() => openProduct(optionsOf(options)))

/** The last run of a host. */
export async function runOf(
  { sql }: Product,
  hostUUID: string,
): Promise<Selectable<Schema['provision_runs']>> {
  const runs = 'SELECT * FROM provision_runs WHERE subject_uuid = $1 ORDER BY created_at DESC LIMIT 1'
  return (await sql(runs, hostUUID))[0]
}
