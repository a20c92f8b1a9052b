import type { HostAlert, HostKind } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Reports of one host are serialised, so nobody writes between the two statements. */
export async function noteAlert(
  tx: Db,
  { host_uuid, alert, count, at }: { host_uuid: string; alert: HostAlert; count: number; at: Date },
  auditedSince: Date,
  shownSince: Date,
): Promise<{ isNew: boolean; isDue: boolean }> {
  const before = await tx
    .selectFrom('node_alerts')
    .select(['since', 'at', 'audited_at'])
    .where('host_uuid', '=', host_uuid)
    .where('alert', '=', alert)
    .executeTakeFirst()
  const isNew = !before || before.at <= shownSince
  const isDue = !before || before.audited_at <= auditedSince
  const row = { count, at, since: isNew ? at : before.since, audited_at: isDue ? at : before.audited_at }
  await tx
    .insertInto('node_alerts')
    .values({ host_uuid, alert, ...row })
    .onConflict((conflict) => conflict.columns(['host_uuid', 'alert']).doUpdateSet(row))
    .execute()
  return { isNew, isDue }
}

export interface AlertedHost {
  kind: HostKind
  uuid: string
  name: string
  alert: HostAlert
  count: number
  since: Date
  at: Date
}

export async function listAlerts(db: Db, since: Date): Promise<AlertedHost[]> {
  const { rows } = await sql<AlertedHost>`
    SELECT kind, uuid, name, alert, count, since, a.at FROM node_alerts a
    JOIN (SELECT 'server' AS kind, uuid, name FROM servers UNION ALL SELECT 'tunnel', uuid, name FROM tunnels) hosts
      ON hosts.uuid = a.host_uuid
    WHERE a.at > ${since} ORDER BY since, uuid, alert`.execute(db)
  return rows
}

export async function forgetAlerts(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('node_alerts').where('at', '<', before).execute()
}
