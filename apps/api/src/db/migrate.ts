import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { ConfigError } from '../config.ts'
import { packageRoot } from '../lib/package-root.ts'

const migrationLock = 0x6b656c69
const migrationsFolder = join(packageRoot, 'migrations')

interface Migration {
  version: number
  name: string
  path: string
}

async function migrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return names.map((name) => ({ version: Number.parseInt(name, 10), name, path: join(folder, name) }))
}

export const newestVersion = async (folder = migrationsFolder): Promise<number> =>
  (await migrations(folder)).at(-1)?.version ?? 0

export async function withMigrationLock<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    // Waiting for another instance or migrating a large table may take long.
    await client.query('SET statement_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    return await work(client)
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
    await client.query('RESET statement_timeout').catch(() => {})
    client.release()
  }
}

/** Forward only, one transaction per file, so a killed start leaves only complete files applied. */
export async function migrate(
  client: pg.ClientBase,
  onProgress: (line: string) => void = () => {},
): Promise<void> {
  for (const migration of await missing(client, migrationsFolder)) {
    onProgress(`Preparing the database: ${migration.name}`)
    try {
      await client.query('BEGIN')
      await apply(client, migration)
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    }
  }
}

export async function migrateWithin(
  client: pg.ClientBase,
  upTo = Number.POSITIVE_INFINITY,
  folder = migrationsFolder,
): Promise<void> {
  for (const migration of await missing(client, folder))
    if (migration.version <= upTo) await apply(client, migration)
}

async function missing(client: pg.ClientBase, folder: string): Promise<Migration[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  const result = await client.query<{ version: number }>('SELECT version FROM schema_migrations')
  const applied = new Set(result.rows.map((row) => row.version))
  const available = await migrations(folder)
  const newest = available.at(-1)?.version ?? 0
  const foreign = [...applied].find((version) => version > newest)
  if (foreign !== undefined)
    throw new ConfigError(
      `The database is at version ${foreign}, newer than this program knows (${newest}): start the newer program, or restore a backup of the older one.`,
    )
  return available.filter(({ version }) => !applied.has(version))
}

async function apply(client: pg.ClientBase, { version, name, path }: Migration): Promise<void> {
  await client.query(await readFile(path, 'utf8'))
  await client.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [version, name])
}

export async function isUnused(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(`SELECT WHERE to_regclass('schema_migrations') IS NULL`)
  return rows.length > 0
}
