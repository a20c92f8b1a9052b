import type { HostState, TunnelType, VpnType } from '@kelid/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
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

const withRoom = (db: Db, { vpnType, tunnelType, countryId }: Wish) =>
  db
    .selectFrom('servers')
    .select('uuid')
    .where('state', '=', 'ready')
    .where('vpn_type', '=', vpnType)
    .where('tunnel_type', '=', tunnelType)
    .$if(countryId !== null, (query) => query.where('country_id', '=', countryId))
    .whereRef('accounts', '<', 'max_accounts')
    .orderBy(sql`accounts::float8 / max_accounts`)
    .orderBy('uuid')
    .limit(1)

export const hasPlace = async (db: Db, wish: Wish): Promise<boolean> =>
  (await withRoom(db, wish).executeTakeFirst()) !== undefined

/**
 * Takes a place on the least full server that fits; undefined when none has room. The one it chose may fill up while it
 * waits for its row, and then it looks again. Nobody ends up waiting in a circle: a full server that it has waited for
 * stays locked, so whoever looks later sees it full and waits for another.
 */
export async function takePlace(tx: Db, wish: Wish): Promise<string | undefined> {
  for (;;) {
    const taken = await tx
      .updateTable('servers')
      .set((server) => ({ accounts: server('accounts', '+', 1) }))
      .where('uuid', '=', withRoom(tx, wish))
      .where('state', '=', 'ready')
      .whereRef('accounts', '<', 'max_accounts')
      .returning('uuid')
      .executeTakeFirst()
    if (taken || !(await hasPlace(tx, wish))) return taken?.uuid
  }
}

export async function givePlaceBack(tx: Db, uuid: string): Promise<void> {
  await tx
    .updateTable('servers')
    .set((server) => ({ accounts: server('accounts', '-', 1) }))
    .where('uuid', '=', uuid)
    .execute()
}
