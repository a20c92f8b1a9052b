import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * Days that begin at first use begin when a node saw the first byte; if a second node saw it earlier, they begin then.
 * Returns the accounts that changed. The accounts are locked.
 */
export async function beginDays(tx: Db, uses: readonly { id: string; at: Date }[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    WITH said AS (
      SELECT id, min(at) AS at FROM unnest(${uses.map(({ id }) => id)}::uuid[],
        ${uses.map(({ at }) => at)}::timestamptz[]) AS said (id, at) GROUP BY id
    ), begun AS (
      SELECT a.uuid, coalesce(a.starts_by, a.first_used_at) AS before, a.first_used_at AS first_before,
        greatest(a.created_at, least(said.at, a.starts_by)) AS at
      FROM said JOIN accounts a ON a.uuid = said.id
      WHERE a.starts_by IS NOT NULL OR said.at < a.first_used_at
    ), period AS (
      UPDATE data_limits d SET period_began_at = begun.at FROM begun
      WHERE d.account_uuid = begun.uuid AND (begun.first_before IS NULL OR d.period_began_at = begun.first_before)
    )
    UPDATE accounts a SET first_used_at = begun.at, starts_by = NULL,
      expires_at = a.expires_at - make_interval(secs => extract(epoch FROM begun.before - begun.at)::float8)
    FROM begun WHERE a.uuid = begun.uuid AND (a.starts_by IS NOT NULL OR begun.at < a.first_used_at)
    RETURNING a.uuid`.execute(tx)
  return rows.map(({ uuid }) => uuid)
}
