import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '../database.ts'
import { migrateWithin, withMigrationLock } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { targetOf } from './backup.ts'
import type { Manifest } from './format.ts'
import { readBackup } from './read.ts'
import { BackupRefusal, damagedBackup } from './refusal.ts'
import { migrationsTable, plainTexts, tablesIn, tablesToBackUp, versionOf } from './tables.ts'

export interface RestoreOptions {
  readonly confirm: (db: Db, manifest: Manifest) => Promise<void>
  readonly say?: (line: string) => void
  readonly signal?: AbortSignal
  readonly migrations?: string
}

export async function restoreBackup(
  pool: pg.Pool,
  path: string,
  manifest: Manifest,
  { confirm, say = () => {}, signal, migrations }: RestoreOptions,
): Promise<void> {
  await withMigrationLock(pool, async (client) => {
    await client.query('BEGIN')
    try {
      await client.query(plainTexts)
      await refuseNonEmpty(client, manifest.schema)
      await migrateWithin(client, manifest.schema, migrations)
      say('Loading …')
      await load(client, path, manifest, signal)
      await migrateWithin(client, undefined, migrations)
      await continueNumbers(client)
      await forgetReports(client)
      say('Checking …')
      await confirm(onConnection(client), manifest)
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    }
    await client.query('ANALYZE').catch(() => {})
  })
}

async function refuseNonEmpty(client: pg.PoolClient, schema: number): Promise<void> {
  const tables = await tablesIn(client)
  const version = await versionOf(client, tables)
  const others = tables.filter(({ name }) => name !== migrationsTable)
  if (version === null && others.length === 0) return
  const { rows } = await client.query<{ name: string }>(
    others
      .map(
        ({ name }) => `(SELECT ${pg.escapeLiteral(name)} AS name FROM ${pg.escapeIdentifier(name)} LIMIT 1)`,
      )
      .join(' UNION ALL '),
  )
  const tableName = rows[0]?.name
  if (version === schema && !tableName) return
  throw new BackupRefusal(
    `The database is not empty (${tableName ? `the table ${tableName} has rows` : 'it has tables already'}), and a restore overwrites nothing: set KELID_DATA_DIR to a new folder with the secret key in it, or DATABASE_URL to an empty database.`,
  )
}

async function load(
  client: pg.PoolClient,
  path: string,
  manifest: Manifest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const missing = new Map(tablesToBackUp(await tablesIn(client)).map((table) => [table.name, table]))
  const read = await readBackup(path, async (table, rows) => {
    if (!isDeepStrictEqual(table, missing.get(table.name)))
      throw damagedBackup(`the table ${table.name} is not as its version of the schema has it`)
    missing.delete(table.name)
    const intoTable = client.query(copyFrom(`COPY ${targetOf(table)} FROM STDIN`))
    await pipeline(Readable.from(rows), intoTable, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted()
      if (!(error instanceof pg.DatabaseError)) throw error
      throw new BackupRefusal(`The table ${table.name} was refused by the database: ${error.message}.`)
    })
  })
  const [left] = missing.keys()
  if (left) throw damagedBackup(`the table ${left} is missing`)
  if (!isDeepStrictEqual(read, manifest)) throw damagedBackup('it was changed while it was read')
}

/** Reports confirm revisions of the old database, so nodes must report again. */
async function forgetReports(client: pg.PoolClient): Promise<void> {
  await client.query(
    'UPDATE accounts SET applied_revision = NULL, applied_ms = NULL WHERE applied_revision IS NOT NULL',
  )
  await client.query('UPDATE servers SET reporting_since = NULL WHERE reporting_since IS NOT NULL')
}

/** Sequences continue after the highest restored value. */
async function continueNumbers(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string }>(`
    SELECT c.relname::text AS name, a.attname::text AS column
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`)
  for (const { name, column } of rows)
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${pg.escapeIdentifier(column)}), 0) + 1, false)
       FROM ${pg.escapeIdentifier(name)}`,
      [pg.escapeIdentifier(name), column],
    )
}

function onConnection(client: pg.ClientBase): Kysely<Schema> {
  const connection = {
    query: client.query.bind(client) as never,
    release: () => {},
  }
  return new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: { connect: async () => connection, end: async () => {}, options: {} },
    }),
  })
}
