import type { HostKind, TroubleKind } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type TroubleRow = Schema['node_troubles']

/** Replaces the troubles of a host; its state is locked. Returns whether one has begun, was repaired, or ended. */
export async function replaceTroubles(
  tx: Db,
  host_uuid: string,
  troubles: readonly Pick<TroubleRow, 'kind' | 'detail' | 'repaired'>[],
  at: Date,
): Promise<boolean> {
  const before = await tx
    .deleteFrom('node_troubles')
    .where('host_uuid', '=', host_uuid)
    .returning(['kind', 'repaired', 'since'])
    .execute()
  const rows = troubles.map((trouble) => {
    const same = before.find(({ kind }) => kind === trouble.kind)
    return { ...trouble, host_uuid, since: same?.since ?? at, isNews: same?.repaired !== trouble.repaired }
  })
  if (rows.length > 0)
    await tx
      .insertInto('node_troubles')
      .values(rows.map(({ isNews: _, ...row }) => row))
      .execute()
  return rows.length !== before.length || rows.some(({ isNews }) => isNews)
}

export interface TroubledHost {
  subject: HostKind
  uuid: string
  name: string
  kind: TroubleKind
  detail: string
  repaired: boolean
  since: Date
}

/** The troubles of an agent that reports them no more, for example after it was replaced by an older one, are left out. */
export async function listTroubles(db: Db): Promise<TroubledHost[]> {
  const { rows } = await sql<TroubledHost>`
    SELECT subject, uuid, name, t.kind, detail, repaired, since FROM node_troubles t
    JOIN (SELECT 'server' AS subject, uuid, name FROM servers UNION ALL SELECT 'tunnel', uuid, name FROM tunnels) hosts
      ON hosts.uuid = t.host_uuid
    JOIN node_states s ON s.host_uuid = t.host_uuid AND s.troubles_at > s.at - interval '10 minutes'
    ORDER BY repaired, since, uuid, t.kind`.execute(db)
  return rows
}
