import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { Client } from './client.ts'
import { codeOf, isConnectionFailure, OutcomeUnknown } from './failures.ts'
import type { Schema } from './schema.ts'

export type Tx = Transaction<Schema>
export type Db = Kysely<Schema> | Tx

/** `pg` returns bigint, numeric and count() as text; unsafe numbers fail the query. */
export function safeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is not a whole number that can be kept exactly`)
  return value
}

const { INT8, NUMERIC, TIMESTAMPTZ } = pg.types.builtins
const anyDate = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date

/** The engine parses four-digit years in UTC itself, in half the time. */
export const toDate = (text: string): Date =>
  text[4] === '-' && text.endsWith('+00')
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : anyDate(text)

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, safeNumber],
  [NUMERIC, safeNumber],
  [TIMESTAMPTZ, toDate],
])

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface Database {
  readonly db: Kysely<Schema>
  readonly pool: pg.Pool
  /** From now on an unreachable database fails soon. Before, a busy machine may take long to connect. */
  hasStarted(): void
  close(): Promise<void>
}

/** An unreachable database fails soon; a busy pool is worth a longer wait. */
const waitForDatabase = 2_000
const waitForTurn = 10_000

const maxNames = 500
/** A result column `*`, but not count(*): a migration may change its meaning. */
const anyColumns = /\*(?!\))/

/** PostgreSQL reuses plans of named statements. Text without values may be several statements and gets no name. */
function withNames(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    const statementName = names.get(text)
    if (statementName || names.size === maxNames || anyColumns.test(text)) return statementName
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
  const naming = (client: pg.PoolClient) => {
    const query = (text: string, values: unknown[]) =>
      client.query(values.length > 0 ? { name: nameOf(text), text, values } : text)
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const connect = async () => {
    const client = await pool.connect()
    const namedQuery = clients.get(client) ?? naming(client)
    clients.set(client, namedQuery)
    return namedQuery
  }
  return { connect, end: () => pool.end(), options: pool.options }
}

export function openDatabase(
  connection: pg.PoolConfig,
  log: { warn(data: object, text: string): void },
): Database {
  let connectWithin = waitForTurn
  class PoolClient extends Client {
    constructor(config: pg.ClientConfig = {}) {
      const { password } = config
      super({ ...config, ...(password && { password }), connectionTimeoutMillis: connectWithin })
    }
  }
  const pool = new pg.Pool({
    Client: PoolClient,
    connectionTimeoutMillis: waitForTurn,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'kelid',
    ...connection,
    types,
  })
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a database connection was lost'))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withNames(pool) }) })
  return {
    db,
    pool,
    hasStarted() {
      // A Unix socket refuses at once without a server, so a late answer there means a busy machine.
      if (!connection.host?.startsWith('/')) connectWithin = waitForDatabase
    },
    async close() {
      await db.destroy()
      // Kysely ends the pool only if it has used it.
      if (!pool.ended) await pool.end()
    },
  }
}

const retryable = new Set(['40001', '40P01'])

/** A deadlock or serialization failure rolls everything back, so the work can be retried. */
export async function retry<T>(work: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (attempts > 1 && retryable.has(codeOf(error))) return retry(work, attempts - 1)
    throw error
  }
}

/** Runs the work in one transaction; throws `OutcomeUnknown` if the connection is lost during the commit. */
export const atomically = <T>(db: Kysely<Schema>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  retry(async () => {
    let isCommitting = false
    try {
      return await db.transaction().execute(async (tx) => {
        const result = await work(tx)
        isCommitting = true
        return result
      })
    } catch (error) {
      throw isCommitting && isConnectionFailure(error) ? new OutcomeUnknown(error) : error
    }
  })

export const first = async <Row>(db: Db, statement: RawBuilder<Row>): Promise<Row | undefined> =>
  (await statement.execute(db)).rows[0]

export async function only<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row> {
  const row = await first(db, statement)
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

/** For a library that expects the default types of `pg`, such as fractions in numeric columns. */
export const queryWithUsualTypes = (pool: pg.Pool, text: string, values: unknown[] = []) =>
  pool.query({ text, values, types: pg.types })

export const sqlRunner = (db: Db) => async (text: string, values: unknown[]) => {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return { rows }
}
