import type { HostKind, HostState } from '@kelid/contract'
import { type Insertable, sql } from 'kysely'
import { type Db, first } from '../../db/database.ts'
import type { NodeReportRow } from '../../db/schema.ts'

export interface HeardHost {
  readonly kind: HostKind
  readonly uuid: string
  readonly state: HostState
  readonly last_seen_at: Date | null
}

/** UUIDs are unique across both kinds. */
export const findAnyHost = (db: Db, uuid: string): Promise<HeardHost | undefined> =>
  first(
    db,
    sql<HeardHost>`SELECT 'server' AS kind, uuid, state, last_seen_at FROM servers WHERE uuid = ${uuid}
      UNION ALL SELECT 'tunnel', uuid, state, last_seen_at FROM tunnels WHERE uuid = ${uuid}`,
  )

export async function noteHeard(
  tx: Db,
  kind: HostKind,
  { host_uuid, ...report }: Insertable<NodeReportRow>,
  before: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable(kind === 'server' ? 'servers' : 'tunnels')
    .set({ last_seen_at: report.at })
    .where('uuid', '=', host_uuid)
    .where((host) =>
      host.or([
        host('last_seen_at', 'is', null),
        host('last_seen_at', '<=', before),
        // If the clock is set back, hosts must not stay unheard.
        host('last_seen_at', '>', report.at),
      ]),
    )
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return false
  await tx
    .insertInto('node_reports')
    .values({ host_uuid, ...report })
    .onConflict((conflict) => conflict.column('host_uuid').doUpdateSet(report))
    .execute()
  return true
}

/** A report from the old address says nothing about the new one. */
export async function forgetHeard(tx: Db, hostUUID: string): Promise<void> {
  await tx.deleteFrom('node_reports').where('host_uuid', '=', hostUUID).execute()
}
