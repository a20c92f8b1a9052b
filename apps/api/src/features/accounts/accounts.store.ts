import type { AccountApplied } from '@kelid/contract'
import { type InferResult, type Insertable, type QueryCreator, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { AccountRow, Schema } from '../../db/schema.ts'

const columns = [
  'a.uuid',
  'a.user_id',
  'a.name',
  'a.vpn_type',
  'a.tunnel_type',
  'a.expires_at',
  'a.enabled',
  'a.abused',
  'a.abuse_devices',
  'a.abuse_seen_at',
  'a.created_at',
  'a.secrets',
  's.country_id',
  's.ipv4 as server_ipv4',
  's.url as server_url',
  's.port as server_port',
  't.ipv4 as tunnel_ipv4',
  't.port as tunnel_port',
] as const

const applied = sql<AccountApplied>`CASE WHEN s.reporting_since IS NULL THEN 'unreported'
  WHEN a.applied_revision >= a.revision THEN 'applied' ELSE 'waiting' END`.as('applied')

/** An account with what its link and its flag are made of. */
export const whole = (db: QueryCreator<Schema>) =>
  db
    .selectFrom('accounts as a')
    .innerJoin('servers as s', 's.uuid', 'a.server_uuid')
    .leftJoin('tunnels as t', 't.uuid', 'a.tunnel_uuid')
    .select(columns)
    .select(applied)
    .select(sql<string>`s.details ->> 'serverSNIAddress'`.as('server_sni'))

export type AccountRecord = InferResult<ReturnType<typeof whole>>[number]

export const findOwnAccount = (db: Db, userId: number, uuid: string): Promise<AccountRecord | undefined> =>
  whole(db).where('a.uuid', '=', uuid).where('a.user_id', '=', userId).executeTakeFirst()

export const findAccountByLink = (db: Db, subscriptionHash: Buffer): Promise<AccountRecord | undefined> =>
  whole(db).where('a.subscription_hash', '=', subscriptionHash).executeTakeFirst()

/** Second in the lock order user -> account -> server; a foreign account is not found. */
export type LockedAccount = Selectable<AccountRow>

export const lockOwnAccount = (tx: Db, userId: number, uuid: string): Promise<LockedAccount | undefined> =>
  tx
    .selectFrom('accounts')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

const areOwn = (userId: number, uuids: readonly string[]) =>
  sql<boolean>`user_id = ${userId} AND uuid = ANY (${[...uuids]}::uuid[])`

/** Of an account, what its renewal asks for. */
const renewable = ['uuid', 'name', 'vpn_type', 'expires_at', 'abused'] as const
export type RenewableAccount = Pick<LockedAccount, (typeof renewable)[number]>

const ownAccounts = (db: Db, userId: number, uuids: readonly string[]) =>
  db.selectFrom('accounts').select(renewable).where(areOwn(userId, uuids))

export const findOwnAccounts = (
  db: Db,
  userId: number,
  uuids: readonly string[],
): Promise<RenewableAccount[]> => ownAccounts(db, userId, uuids).execute()

/** In one order for everybody: two who lock many would wait for each other. */
export const lockOwnAccounts = (
  tx: Db,
  userId: number,
  uuids: readonly string[],
): Promise<RenewableAccount[]> => ownAccounts(tx, userId, uuids).orderBy('uuid').forUpdate().execute()

export const lockAccount = (tx: Db, uuid: string): Promise<AccountRecord | undefined> =>
  whole(tx).where('a.uuid', '=', uuid).forUpdate('a').executeTakeFirst()

export type Change = Partial<
  Pick<
    Selectable<AccountRow>,
    | 'enabled'
    | 'expires_at'
    | 'expiry_noted_at'
    | 'abused'
    | 'abuse_devices'
    | 'abuse_seen_at'
    | 'closed_by_suspension'
    | 'secrets'
    | 'subscription_hash'
  >
>

/** Here and below `accounts` is what has just been written: the table itself shows that only afterwards. */
export const insertAccount = (tx: Db, account: Insertable<AccountRow>): Promise<AccountRecord> =>
  whole(
    tx.with('accounts', (db) => db.insertInto('accounts').values(account).returningAll()),
  ).executeTakeFirstOrThrow()

export const updateAccount = (tx: Db, uuid: string, change: Change): Promise<AccountRecord> =>
  whole(
    tx.with('accounts', (db) =>
      db.updateTable('accounts').set(change).where('uuid', '=', uuid).returningAll(),
    ),
  ).executeTakeFirstOrThrow()

export const deleteOwnAccount = (
  tx: Db,
  userId: number,
  uuid: string,
): Promise<{ server_uuid: string; tunnel_uuid: string | null } | undefined> =>
  tx
    .deleteFrom('accounts')
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .returning(['server_uuid', 'tunnel_uuid'])
    .executeTakeFirst()

export async function setOwnEnabled(
  tx: Db,
  userId: number,
  uuids: readonly string[],
  enabled: boolean,
): Promise<void> {
  await tx.updateTable('accounts').set({ enabled }).where(areOwn(userId, uuids)).execute()
}

export const deleteOwnAccounts = (
  tx: Db,
  userId: number,
  uuids: readonly string[],
): Promise<{ uuid: string; server_uuid: string; tunnel_uuid: string | null }[]> =>
  tx
    .deleteFrom('accounts')
    .where(areOwn(userId, uuids))
    .returning(['uuid', 'server_uuid', 'tunnel_uuid'])
    .execute()

/** Accounts that ran out and were not noted yet. One that somebody holds is left for the next time. */
export async function noteExpired(
  tx: Db,
  now: Date,
  limit: number,
): Promise<{ uuid: string; user_id: number }[]> {
  const due = tx
    .selectFrom('accounts')
    .select('uuid')
    .where('expires_at', '<=', now)
    .where('expiry_noted_at', 'is', null)
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return tx
    .updateTable('accounts')
    .set({ expiry_noted_at: now })
    .where('uuid', 'in', due)
    .returning(['uuid', 'user_id'])
    .execute()
}
