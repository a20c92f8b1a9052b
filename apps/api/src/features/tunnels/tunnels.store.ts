import type { HostState, TunnelType } from '@kelid/contract'
import { type Insertable, type QueryCreator, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema, TunnelRow } from '../../db/schema.ts'

export type TunnelRecord = Selectable<TunnelRow>

/** false when the UUID is there already. */
export async function insertTunnel(tx: Db, tunnel: Insertable<TunnelRow>): Promise<boolean> {
  const done = await tx
    .insertInto('tunnels')
    .values(tunnel)
    .onConflict((conflict) => conflict.column('uuid').doNothing())
    .executeTakeFirst()
  return (done.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const listTunnels = (db: Db): Promise<TunnelRecord[]> =>
  db.selectFrom('tunnels').selectAll().orderBy('created_at', 'desc').orderBy('uuid').execute()

export const findTunnel = (db: Db, uuid: string): Promise<TunnelRecord | undefined> =>
  db.selectFrom('tunnels').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const updateTunnel = (
  tx: Db,
  uuid: string,
  change: Partial<{ ipv4: string; state: HostState }>,
): Promise<TunnelRecord | undefined> =>
  tx.updateTable('tunnels').set(change).where('uuid', '=', uuid).returningAll().executeTakeFirst()

const open = (db: QueryCreator<Schema>, type: TunnelType | '') =>
  db
    .selectFrom('tunnels')
    .where('state', '=', 'ready')
    .where('type', '=', type as TunnelType)
    .whereRef('accounts', '<', 'max_accounts')

export const hasPlace = async (db: Db, type: TunnelType): Promise<boolean> =>
  (await open(db, type).select('uuid').limit(1).executeTakeFirst()) !== undefined

/** As for servers; it waits for nothing before there is a place on one, so that everybody takes the two in one order. */
export const placeOnTunnel = (tx: QueryCreator<Schema>, tunnelType: TunnelType | '') =>
  tx
    .updateTable('tunnels')
    .set((tunnel) => ({ accounts: tunnel('accounts', '+', 1) }))
    .where(
      'uuid',
      '=',
      open(tx, tunnelType)
        .where(sql<boolean>`EXISTS (SELECT FROM servers)`)
        .select('uuid')
        .orderBy(sql`accounts::float8 / max_accounts`)
        .orderBy('uuid')
        .limit(1),
    )
    .where('state', '=', 'ready')
    .whereRef('accounts', '<', 'max_accounts')
    .returningAll()

export async function givePlaceBack(tx: Db, uuid: string): Promise<void> {
  await tx
    .updateTable('tunnels')
    .set((tunnel) => ({ accounts: tunnel('accounts', '-', 1) }))
    .where('uuid', '=', uuid)
    .execute()
}
