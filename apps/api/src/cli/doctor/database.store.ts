import type pg from 'pg'

export async function readServer(pool: pg.Pool): Promise<{ release: string; number: number; now: Date }> {
  const { rows } = await pool.query(`SELECT current_setting('server_version') AS release,
    current_setting('server_version_num')::int AS number, clock_timestamp() AS now`)
  return rows[0]
}

/** Null in an empty database. */
export async function readVersion(pool: pg.Pool): Promise<number | null> {
  const { rows } = await pool.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS "isThere"`)
  if (!rows[0].isThere) return null
  return (await pool.query('SELECT max(version) AS version FROM schema_migrations')).rows[0].version
}

/** Since when the regular jobs could run. */
export async function readFirstStart(pool: pg.Pool): Promise<Date> {
  return (await pool.query('SELECT coalesce(min(created_at), now()) AS since FROM users')).rows[0].since
}
