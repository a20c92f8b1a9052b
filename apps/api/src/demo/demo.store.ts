import type { HostKind, RunState } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export const demoActor = 'demo'
export const fillAction = 'filldemo'

/** The audit log is append-only, so it identifies a demo database reliably. */
export const wasFilled = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('audit')
    .select('id')
    .where('actor', '=', demoActor)
    .where('action', '=', fillAction)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const takeRun = (db: Db, subjectUuid: string, now: Date) =>
  db
    .updateTable('provision_runs')
    .set({ state: 'running', attempts: 1, started_at: now })
    .where('subject_uuid', '=', subjectUuid)
    .where('state', '=', 'queued')
    .returning(['uuid', 'subject', 'subject_uuid'])
    .executeTakeFirstOrThrow()

export async function endRun(db: Db, uuid: string, state: RunState, now: Date): Promise<void> {
  await db.updateTable('provision_runs').set({ state, finished_at: now }).where('uuid', '=', uuid).execute()
}

export async function setByHand(db: Db, { kind, uuid }: { kind: HostKind; uuid: string }): Promise<void> {
  await db.updateTable(`${kind}s`).set({ set_by_hand: true }).where('uuid', '=', uuid).execute()
}

export async function markAbused(db: Db, uuid: string, devices: number, now: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ abused: true, enabled: false, abuse_devices: devices, abuse_seen_at: now })
    .where('uuid', '=', uuid)
    .execute()
}

export async function hearFromHosts(db: Db, silentHosts: readonly string[], now: Date): Promise<void> {
  for (const table of ['servers', 'tunnels'] as const)
    await db
      .updateTable(table)
      .set({ last_seen_at: now })
      .where('state', '=', 'ready')
      .where('name', 'not in', [...silentHosts])
      .execute()
  await sql`WITH heard AS (
      SELECT uuid, accounts FROM servers WHERE last_seen_at = ${now}
      UNION ALL SELECT uuid, accounts FROM tunnels WHERE last_seen_at = ${now}
    ), greeted AS (
      INSERT INTO node_reports (host_uuid, agent_version, core_version, clock_offset_ms, at)
      SELECT uuid, '1.0.0', '26.3.27', 40, ${now} FROM heard ON CONFLICT (host_uuid) DO UPDATE SET at = excluded.at
    )
    INSERT INTO node_states (host_uuid, core_version, boot_id, up_since, connections, load, refused_list, at)
    SELECT uuid, '26.3.27', 'demo', ${now}::timestamptz - interval '9 days', 3 * accounts, 0.08 + 0.004 * accounts, '', ${now}
    FROM heard ON CONFLICT (host_uuid) DO UPDATE
      SET connections = excluded.connections, load = excluded.load, at = excluded.at`.execute(db)
}

export async function pretendUsage(db: Db, now: Date): Promise<void> {
  const today = sql`(${now}::timestamptz AT TIME ZONE 'UTC')::date`
  await sql`INSERT INTO usage_days (account_uuid, day, up, down)
    SELECT uuid, today - ago, bytes / 12, bytes FROM accounts, (SELECT ${today} AS today) day, generate_series(0, 29) ago,
      LATERAL (SELECT (hashtext(uuid::text || ago) & 4095) * 1000000::bigint AS bytes) used
    WHERE created_at::date <= today - ago AND expires_at::date >= today - ago`.execute(db)
  await sql`INSERT INTO usage_totals (account_uuid, up, down, last_seen_at)
    SELECT account_uuid, sum(up), sum(down), ${now}::timestamptz - (hashtext(account_uuid::text) & 255) * interval '1 minute'
    FROM usage_days GROUP BY account_uuid`.execute(db)
  await sql`UPDATE data_limits d SET used = d.bytes / 6 * (n % 7) FROM (
      SELECT uuid, row_number() OVER (PARTITION BY enabled AND expires_at > ${now} ORDER BY uuid) AS n
      FROM accounts JOIN data_limits ON account_uuid = uuid
    ) numbered WHERE d.account_uuid = numbered.uuid`.execute(db)
  await sql`UPDATE accounts a SET exhausted = true FROM data_limits d
    WHERE d.account_uuid = a.uuid AND d.used >= d.bytes - 6`.execute(db)
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
