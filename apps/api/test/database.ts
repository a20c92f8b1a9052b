import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { openForAllTests } from './hooks.ts'

/** The same server with another database. */
export function onDatabase(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!server.connectionString) return { ...server, database }
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

export async function query(
  connection: pg.ClientConfig,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

export interface TestDatabase {
  readonly connection: pg.ClientConfig
  /** The same as an address, for a process of its own. */
  readonly url: string
  /** Where the connection is of a role that only works with rows. */
  readonly owner?: pg.ClientConfig
  close(): Promise<void>
}

type SplitDatabase = TestDatabase & { readonly ownerUrl: string }

export const databaseForAllTests = (options?: { isEmpty?: boolean }) =>
  openForAllTests(() => createDatabase(options))

/** An empty database with two roles, as the embedded one has them and an operator may make them elsewhere. */
export async function createSplitDatabase(): Promise<SplitDatabase> {
  const database = await createDatabase({ isEmpty: true })
  const everyday = `kelid_app_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  await query(database.connection, `CREATE ROLE ${everyday} LOGIN PASSWORD '${password}'`)
  const url = new URL(database.url)
  url.username = everyday
  url.password = password
  return {
    connection: { connectionString: url.href },
    url: url.href,
    owner: database.connection,
    ownerUrl: database.url,
    async close() {
      await database.close()
      await query(inject('server'), `DROP ROLE ${everyday}`)
    },
  }
}

/** A database of one's own: a copy of the migrated one, or an empty one. */
export async function createDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const server = inject('server')
  const name = `kelid_${randomBytes(6).toString('hex')}`
  // Copying files is quick because the server does not wait for the disk; the other strategy writes all of it to the log first.
  const template = isEmpty ? '' : ` TEMPLATE ${inject('template')}`
  await query(server, `CREATE DATABASE ${name} STRATEGY FILE_COPY${template}`)
  // The server outlives every process that a test kills, so waiting for its disk proves nothing here.
  await query(server, `ALTER DATABASE ${name} SET synchronous_commit = off`)
  const connection = onDatabase(server, name)
  return {
    connection,
    url: connection.connectionString ?? addressOf(connection),
    close: async () => void (await query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

export const addressOf = ({ user, password, host, port, database }: pg.ClientConfig) =>
  `postgres://${user}:${encodeURIComponent(String(password))}@localhost/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`
