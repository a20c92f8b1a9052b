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

/** By its UUID alone: no two hosts have the same one, of whichever kind. */
export const findAnyHost = (db: Db, uuid: string): Promise<HeardHost | undefined> =>
  first(
    db,
    sql<HeardHost>`SELECT 'server' AS kind, uuid, state, last_seen_at FROM servers WHERE uuid = ${uuid}
      UNION ALL SELECT 'tunnel', uuid, state, last_seen_at FROM tunnels WHERE uuid = ${uuid}`,
  )

/** false when somebody else has noted it since `before`, or the host is gone. */
export async function noteHeard(
  tx: Db,
  kind: HostKind,
  { host_uuid, ...report }: Insertable<NodeReportRow>,
  before: Date,
): Promise<boolean> {
  const done = await tx
    .updateTable(kind === 'server' ? 'servers' : 'tunnels')
    .set({ last_seen_at: report.at })
    .where('uuid', '=', host_uuid)
    .where((host) =>
      host.or([
        host('last_seen_at', 'is', null),
        host('last_seen_at', '<=', before),
        // A clock that was set back must not keep everybody silent.
        host('last_seen_at', '>', report.at),
      ]),
    )
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) return false
  await tx
    .insertInto('node_reports')
    .values({ host_uuid, ...report })
    .onConflict((conflict) => conflict.column('host_uuid').doUpdateSet(report))
    .execute()
  return true
}

/** What was said at another address says nothing of this one. */
export async function forgetHeard(tx: Db, hostUUID: string): Promise<void> {
  await tx.deleteFrom('node_reports').where('host_uuid', '=', hostUUID).execute()
}
