import type { HostState, TunnelType } from '@kelid/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { TunnelRow } from '../../db/schema.ts'

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

const withRoom = (db: Db, type: TunnelType) =>
  db
    .selectFrom('tunnels')
    .select('uuid')
    .where('state', '=', 'ready')
    .where('type', '=', type)
    .whereRef('accounts', '<', 'max_accounts')
    .orderBy(sql`accounts::float8 / max_accounts`)
    .orderBy('uuid')
    .limit(1)

export const hasPlace = async (db: Db, type: TunnelType): Promise<boolean> =>
  (await withRoom(db, type).executeTakeFirst()) !== undefined

/** As for servers, and always after a place on one, so that everybody takes the two in one order. */
export async function takePlace(tx: Db, type: TunnelType): Promise<string | undefined> {
  for (;;) {
    const taken = await tx
      .updateTable('tunnels')
      .set((tunnel) => ({ accounts: tunnel('accounts', '+', 1) }))
      .where('uuid', '=', withRoom(tx, type))
      .where('state', '=', 'ready')
      .whereRef('accounts', '<', 'max_accounts')
      .returning('uuid')
      .executeTakeFirst()
    if (taken || !(await hasPlace(tx, type))) return taken?.uuid
  }
}

export async function givePlaceBack(tx: Db, uuid: string): Promise<void> {
  await tx
    .updateTable('tunnels')
    .set((tunnel) => ({ accounts: tunnel('accounts', '-', 1) }))
    .where('uuid', '=', uuid)
    .execute()
}
