import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export async function pretendUsage(db: Db, now: Date): Promise<void> {
  const today = sql`(${now}::timestamptz AT TIME ZONE 'UTC')::date`
  await sql`INSERT INTO usage_days (account_uuid, day, up, down)
    SELECT uuid, today - ago, bytes / 12, bytes FROM accounts, (SELECT ${today} AS today) day, generate_series(0, 29) ago,
      LATERAL (SELECT (hashtext(uuid::text || ago) & 4095) * 1000000::bigint AS bytes) used
    WHERE created_at::date <= today - ago AND expires_at::date >= today - ago`.execute(db)
  await sql`INSERT INTO usage_totals (account_uuid, up, down, last_seen_at)
    SELECT account_uuid, sum(up), sum(down), ${now}::timestamptz - (hashtext(account_uuid::text) & 255) * interval '1 minute'
    FROM usage_days GROUP BY account_uuid`.execute(db)
  const through = sql`FROM usage_days JOIN accounts ON uuid = account_uuid`
  await sql`INSERT INTO host_usage_days (exit_uuid, entry_uuid, day, up, down)
    SELECT server_uuid, coalesce(tunnel_uuid, server_uuid), day, sum(up), sum(down) ${through} GROUP BY 1, 2, 3`.execute(
    db,
  )
  await sql`INSERT INTO host_usage_totals (exit_uuid, entry_uuid, up, down)
    SELECT server_uuid, coalesce(tunnel_uuid, server_uuid), sum(up), sum(down) ${through} GROUP BY 1, 2`.execute(
    db,
  )
}
