import { sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'
import { type AccountRecord, type Change, columns, tables } from './accounts.store.ts'

export interface AnyAccountRecord extends AccountRecord {
  email: string
  closed_by_suspension: boolean
  server_name: string
  tunnel_uuid: string | null
  tunnel_name: string | null
}

export const ofAnyone = sql<AnyAccountRecord>`SELECT ${columns}, u.email, a.closed_by_suspension,
  s.name AS server_name, a.tunnel_uuid, t.name AS tunnel_name ${tables} JOIN users u ON u.id = a.user_id`

export const findAnyAccount = (db: Db, uuid: string): Promise<AnyAccountRecord | undefined> =>
  first(db, sql<AnyAccountRecord>`${ofAnyone} WHERE a.uuid = ${uuid}`)

export const lockAnyAccount = (tx: Db, uuid: string): Promise<AnyAccountRecord | undefined> =>
  first(tx, sql<AnyAccountRecord>`${ofAnyone} WHERE a.uuid = ${uuid} FOR UPDATE OF a`)

export async function updateAnyAccount(
  tx: Db,
  uuid: string,
  change: Change & { server_uuid?: string; tunnel_uuid?: string | null },
): Promise<AnyAccountRecord> {
  await tx.updateTable('accounts').set(change).where('uuid', '=', uuid).execute()
  return only(tx, sql<AnyAccountRecord>`${ofAnyone} WHERE a.uuid = ${uuid}`)
}

const isPlacedOn = (serverUUID: string) =>
  sql`a.uuid IN (SELECT account_uuid FROM placements WHERE server_uuid = ${serverUUID})`

/** Also locks the owners, so that none is suspended meanwhile. */
export async function lockAbusedOn(tx: Db, serverUUID: string, limit: number): Promise<AnyAccountRecord[]> {
  await sql`SELECT FROM users WHERE id IN (SELECT user_id FROM accounts a WHERE ${isPlacedOn(serverUUID)} AND abused)
    ORDER BY id FOR SHARE`.execute(tx)
  const { rows } = await sql<AnyAccountRecord>`${ofAnyone} WHERE ${isPlacedOn(serverUUID)} AND a.abused
    ORDER BY a.uuid LIMIT ${limit} FOR UPDATE OF a`.execute(tx)
  return rows
}

/** An account of a suspended owner stays disabled until the suspension ends. */
export async function clearAbused(tx: Db, uuids: readonly string[]): Promise<AnyAccountRecord[]> {
  await sql`UPDATE accounts a SET abused = false, abuse_devices = NULL, abuse_seen_at = NULL, abuse_since = NULL, abuse_minutes = NULL,
    enabled = u.suspended_at IS NULL, closed_by_suspension = u.suspended_at IS NOT NULL
    FROM users u WHERE u.id = a.user_id AND a.uuid = ANY (${[...uuids]}::uuid[])`.execute(tx)
  const { rows } =
    await sql<AnyAccountRecord>`${ofAnyone} WHERE a.uuid = ANY (${[...uuids]}::uuid[])`.execute(tx)
  return rows
}

export const countAbusedOn = async (tx: Db, serverUUID: string): Promise<number> =>
  (
    await only(
      tx,
      sql<{
        accounts: number
      }>`SELECT count(*) AS accounts FROM accounts a WHERE ${isPlacedOn(serverUUID)} AND abused`,
    )
  ).accounts

export async function deleteAnyAccount(tx: Db, uuid: string): Promise<void> {
  await tx.deleteFrom('accounts').where('uuid', '=', uuid).execute()
}

export async function closeAccounts(tx: Db, userId: number): Promise<number> {
  const result = await tx
    .updateTable('accounts')
    .set({ enabled: false, closed_by_suspension: true })
    .where('user_id', '=', userId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function reopenAccounts(tx: Db, userId: number): Promise<number> {
  const result = await tx
    .updateTable('accounts')
    .set((row) => ({ enabled: row.not(row.ref('abused')), closed_by_suspension: false }))
    .where('user_id', '=', userId)
    .where('closed_by_suspension', '=', true)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
