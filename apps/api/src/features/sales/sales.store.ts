import type { HostKind } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { PlanNames } from '../../db/schema.ts'
import type { QuotaColumns } from '../hosts/quotas.ts'

export interface Bought {
  plan_uuid: string | null
  plan_names: PlanNames | null
  reason: string
  purchases: number
  points: number
}

/** Grouped by its reason, which says how many days and GB were bought. A price includes lent points. */
export async function boughtSince(db: Db, userId: number, from: Date): Promise<Bought[]> {
  const { rows } = await sql<Bought>`
    SELECT t.plan_uuid, (array_agg(t.plan_names ORDER BY t.id DESC))[1] AS plan_names, t.reason,
      count(*) AS purchases, coalesce(-sum(e.amount), 0) AS points
    FROM ledger_transactions t
    LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND e.user_id = t.user_id AND e.unit = 'points'
    WHERE t.user_id = ${userId} AND t.movement IN ('create', 'renew', 'data') AND t.at >= ${from}
    GROUP BY t.plan_uuid, t.reason ORDER BY max(t.id) DESC`.execute(db)
  return rows
}

export interface Sold {
  limited: number
  unlimited: number
  sold: number
  used: number
}

export interface SoldAtHost extends Sold, QuotaColumns {
  kind: HostKind
  uuid: string
  name: string
  carried: number
  hosts: number
}

const most = sql`${String(Number.MAX_SAFE_INTEGER)}::bigint`
const sums = sql`count(bytes) AS limited, count(*) - count(bytes) AS unlimited,
  least(coalesce(sum(bytes), 0), ${most}) AS sold, least(coalesce(sum(used), 0), ${most}) AS used`

/** Accounts that have not expired, with the data of their present period. */
const accountsAt = (now: Date) => sql`
  SELECT a.server_uuid, a.tunnel_uuid, a.plan_uuid, a.plan_names, a.created_at, d.bytes, d.used
  FROM accounts a LEFT JOIN data_limits d ON d.account_uuid = a.uuid WHERE a.expires_at > ${now}`

/** Most data sold first. Bytes through a tunnel are those of the servers behind it. */
export async function soldByHost(
  db: Db,
  now: Date,
  carriedFrom: string,
  limit: number,
): Promise<SoldAtHost[]> {
  const { rows } = await sql<SoldAtHost>`
    WITH account AS (${accountsAt(now)}), sold AS (
      SELECT host_uuid, ${sums} FROM (
        SELECT server_uuid AS host_uuid, bytes, used FROM account
        UNION ALL SELECT tunnel_uuid, bytes, used FROM account WHERE tunnel_uuid IS NOT NULL
      ) places GROUP BY host_uuid
    ), carried AS (
      SELECT host_uuid, least(sum(bytes), ${most}) AS bytes FROM (
        SELECT exit_uuid AS host_uuid, up + down AS bytes FROM host_usage_days WHERE day >= ${carriedFrom}::date
        UNION ALL SELECT entry_uuid, up + down FROM host_usage_days
          WHERE day >= ${carriedFrom}::date AND entry_uuid <> exit_uuid
      ) ways GROUP BY host_uuid
    )
    SELECT kind, uuid, name, ipv4, quota, quota_day, quota_state, coalesce(limited, 0) AS limited,
      coalesce(unlimited, 0) AS unlimited, coalesce(sold, 0) AS sold, coalesce(used, 0) AS used,
      coalesce(carried.bytes, 0) AS carried, count(*) OVER () AS hosts
    FROM (
      SELECT 'server' AS kind, uuid, name, ipv4, quota, quota_day, quota_state FROM servers
      UNION ALL SELECT 'tunnel', uuid, name, ipv4, quota, quota_day, quota_state FROM tunnels
    ) host
    LEFT JOIN sold ON sold.host_uuid = host.uuid LEFT JOIN carried ON carried.host_uuid = host.uuid
    ORDER BY coalesce(sold, 0) DESC, coalesce(carried.bytes, 0) DESC, kind, lower(name), uuid LIMIT ${limit}`.execute(
    db,
  )
  return rows
}

export interface SoldByPlan extends Sold {
  plan_names: PlanNames | null
}

export async function soldByPlan(db: Db, now: Date): Promise<SoldByPlan[]> {
  const { rows } = await sql<SoldByPlan>`
    WITH account AS (${accountsAt(now)})
    SELECT (array_agg(plan_names ORDER BY created_at DESC))[1] AS plan_names, ${sums}
    FROM account GROUP BY plan_uuid ORDER BY sold DESC, count(*) DESC, plan_uuid`.execute(db)
  return rows
}
