import type { HostState, TunnelType, VpnType } from '@kelid/contract'
import { type Insertable, type QueryCreator, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema, ServerRow } from '../../db/schema.ts'

export type ServerRecord = Selectable<ServerRow>

/** false when the UUID is there already. */
export async function insertServer(tx: Db, server: Insertable<Schema['servers']>): Promise<boolean> {
  const done = await tx
    .insertInto('servers')
    .values(server)
    .onConflict((conflict) => conflict.column('uuid').doNothing())
    .executeTakeFirst()
  return (done.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const listServers = (db: Db): Promise<ServerRecord[]> =>
  db.selectFrom('servers').selectAll().orderBy('created_at', 'desc').orderBy('uuid').execute()

export const findServer = (db: Db, uuid: string): Promise<ServerRecord | undefined> =>
  db.selectFrom('servers').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const updateServer = (
  tx: Db,
  uuid: string,
  change: Partial<{ ipv4: string; country_id: number; state: HostState }>,
): Promise<ServerRecord | undefined> =>
  tx.updateTable('servers').set(change).where('uuid', '=', uuid).returningAll().executeTakeFirst()

export interface Wish {
  vpnType: VpnType
  tunnelType: TunnelType | ''
  /** null is any. */
  countryId: number | null
}

const open = (db: QueryCreator<Schema>, { vpnType, tunnelType, countryId }: Wish) =>
  db
    .selectFrom('servers')
    .where('state', '=', 'ready')
    .where('vpn_type', '=', vpnType)
    .where('tunnel_type', '=', tunnelType)
    .where('country_id', '=', sql<number>`coalesce(${countryId}, country_id)`)
    .whereRef('accounts', '<', 'max_accounts')

export const hasPlace = async (db: Db, wish: Wish): Promise<boolean> =>
  (await open(db, wish).select('uuid').limit(1).executeTakeFirst()) !== undefined

/** Takes a place on the least full server that fits; no row when there is none, or the one it waited for has filled up. */
export const placeOnServer = (tx: QueryCreator<Schema>, wish: Wish) =>
  tx
    .updateTable('servers')
    .set((server) => ({ accounts: server('accounts', '+', 1) }))
    .where(
      'uuid',
      '=',
      open(tx, wish).select('uuid').orderBy(sql`accounts::float8 / max_accounts`).orderBy('uuid').limit(1),
    )
    .where('state', '=', 'ready')
    .whereRef('accounts', '<', 'max_accounts')
    .returningAll()

export async function givePlaceBack(tx: Db, uuid: string): Promise<void> {
  await tx
    .updateTable('servers')
    .set((server) => ({ accounts: server('accounts', '-', 1) }))
    .where('uuid', '=', uuid)
    .execute()
}
