import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { packageRoot } from '../lib/package-root.ts'

/** Any number that no other program on this database uses for its advisory locks. */
const migrationLock = 0x6b656c69
const folder = join(packageRoot, 'migrations')

interface Migration {
  version: number
  name: string
}

async function migrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return names.map((name) => ({ version: Number.parseInt(name, 10), name }))
}

export const newestVersion = async (): Promise<number> => (await migrations()).at(-1)?.version ?? 0

/** One process at a time: a second instance waits for the first. */
export async function withMigrationLock<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    return await work(client)
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
    client.release()
  }
}

/** Forward only, one transaction a file: a start that is killed half-way leaves whole files applied. */
export async function migrate(
  client: pg.PoolClient,
  onProgress: (line: string) => void = () => {},
): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  const done = await client.query<{ version: number }>('SELECT version FROM schema_migrations')
  const applied = new Set(done.rows.map((row) => row.version))
  const known = await migrations()
  const newest = known.at(-1)?.version ?? 0
  const foreign = [...applied].find((version) => version > newest)
  if (foreign !== undefined)
    throw new Error(`The database is at version ${foreign}, newer than this program knows (${newest}).`)
  for (const migration of known.filter(({ version }) => !applied.has(version))) {
    onProgress(`Preparing the database: ${migration.name}`)
    await apply(client, migration)
  }
}

async function apply(client: pg.PoolClient, { version, name }: Migration): Promise<void> {
  const sql = await readFile(join(folder, name), 'utf8')
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [version, name])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
