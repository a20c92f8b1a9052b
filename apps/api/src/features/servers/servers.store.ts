import type { Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ServerRow } from '../../db/schema.ts'

export type ServerRecord = Selectable<ServerRow>

export const listServers = (db: Db): Promise<ServerRecord[]> =>
  db.selectFrom('servers').selectAll().orderBy('created_at', 'desc').orderBy('uuid').execute()

export const findServer = (db: Db, uuid: string): Promise<ServerRecord | undefined> =>
  db.selectFrom('servers').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export async function setCountry(tx: Db, uuid: string, countryId: number): Promise<void> {
  await tx.updateTable('servers').set({ country_id: countryId }).where('uuid', '=', uuid).execute()
}
