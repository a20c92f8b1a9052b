import type { AccountApplied, Alpn, Fingerprint } from '@kelid/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'
import type { AccountRow, QuicOptions, Reality } from '../../db/schema.ts'

/** `new`: written on creation, `shown`: read, `changed`: may be updated. A missing column does not compile. */
const uses = {
  uuid: 'new shown',
  user_id: 'new shown',
  name: 'new shown',
  vpn_type: 'new shown',
  tunnel_type: 'new shown',
  server_uuid: 'new shown',
  tunnel_uuid: 'new',
  expires_at: 'new shown changed',
  expiry_noted_at: 'changed',
  enabled: 'new shown changed',
  abused: 'shown changed',
  abuse_devices: 'shown changed',
  abuse_seen_at: 'shown changed',
  abuse_since: 'shown changed',
  abuse_minutes: 'shown changed',
  cleared_by_owner: 'shown changed',
  refusal: 'shown changed',
  max_devices: 'new shown changed',
  speed_limit: 'shown changed',
  extra_devices: 'new shown',
  starts_by: 'new shown changed',
  first_used_at: 'shown changed',
  exhausted: 'shown changed',
  chosen_ways: 'new shown',
  target_country: 'new shown',
  target_operator: 'new shown',
  plan_uuid: 'new shown changed',
  plan_names: 'new shown changed',
  plan_terms: 'new shown changed',
  closed_by_suspension: 'changed',
  secrets: 'new shown changed',
  subscription_hash: 'new changed',
  revision: '',
  applied_revision: '',
  secret_number: 'changed',
  changed_at: '',
  applied_ms: 'shown',
  created_at: 'new shown',
} as const satisfies Record<keyof AccountRow, string>

type Uses = typeof uses
type Columns<Use extends string> = Pick<
  Selectable<AccountRow>,
  { [Name in keyof Uses]: Uses[Name] extends `${string}${Use}${string}` ? Name : never }[keyof Uses]
>
const columnsFor = (use: string) => Object.keys(uses).filter((name) => uses[name as keyof Uses].includes(use))

export type NewAccount = Columns<'new'>
export type Change = Partial<Columns<'changed'>>

/** What customers' apps need of the host where a way comes in. */
export interface WayColumns {
  country_id: number
  address: string
  address6: string
  port: number
  /** Always the server's name, also behind a tunnel. */
  tls_name: string
  /** Fingerprint of our CA if it issued the server's certificate. */
  authority_fingerprint: string | null
  /** null: neither the server nor the settings have a value. */
  fingerprint: Fingerprint | null
  alpn: Alpn | null
  reality: Reality | null
  /** null without options. */
  quic: QuicOptions | null
}

export interface AccountRecord extends Columns<'shown'>, WayColumns {
  applied: AccountApplied
  up: number
  down: number
  last_seen_at: Date | null
  /** In bytes, of the present period; null: no limit. */
  data_bytes: number | null
  data_monthly_bytes: number | null
  data_used: number | null
  data_period_began_at: Date | null
}

/** The agent's report decides; before the first one, the last provisioning run. */
const isOwnAuthority = sql`coalesce(n.certificate_authority = (SELECT fingerprint FROM authority),
    (s.serving ->> 'isOwnAuthority')::boolean)`

/** Until a run has applied another port or name, the last one is where customers get in. */
const isServed = sql`s.serving ->> 'ipv4' = s.ipv4`

const helloOf = (detail: string, name: string) =>
  sql`coalesce(nullif(s.details ->> ${sql.lit(detail)}, ''),
    (SELECT value -> 'clientHello' -> a.vpn_type ->> ${sql.lit(name)} FROM settings))`

/** `a` is a way or an account, which is its first way. */
export const wayColumns = sql`s.country_id, coalesce(t.ipv4, s.ipv4) AS address,
    coalesce(t.ipv6, s.details ->> 'serverIPV6', '') AS address6,
    coalesce(t.served_port, t.port, CASE WHEN ${isServed} THEN (s.serving ->> 'port')::int ELSE s.port END) AS port,
    coalesce(nullif(CASE WHEN ${isServed} OR t.uuid IS NOT NULL THEN s.serving ->> 'name' END, ''),
      nullif(s.details ->> 'serverSNIAddress', ''), s.url) AS tls_name,
    ${helloOf('serverFingerprint', 'fingerprint')} AS fingerprint, ${helloOf('serverAlpn', 'alpn')} AS alpn,
    s.reality, CASE WHEN ${isServed} THEN s.serving -> 'quic' END AS quic,
    CASE WHEN ${isOwnAuthority} THEN (SELECT fingerprint FROM authority) END AS authority_fingerprint`
export const wayTables = sql`JOIN servers s ON s.uuid = a.server_uuid LEFT JOIN tunnels t ON t.uuid = a.tunnel_uuid
  LEFT JOIN node_reports n ON n.host_uuid = s.uuid`

/** A further way whose server does not report says nothing. */
const waitsElsewhere = sql`EXISTS (SELECT FROM account_ways w JOIN servers ws ON ws.uuid = w.server_uuid
  WHERE w.account_uuid = a.uuid AND ws.reporting_since IS NOT NULL AND coalesce(w.applied_revision, 0) < a.revision)`

/** `accounts` is the table or a CTE of just-written rows. */
export const columns = sql`${sql.raw(
  columnsFor('shown')
    .map((name) => `a.${name}`)
    .join(', '),
)},
    CASE WHEN s.reporting_since IS NULL THEN 'unreported'
      WHEN a.applied_revision >= a.revision AND NOT ${waitsElsewhere} THEN 'applied' ELSE 'waiting' END AS applied,
    ${wayColumns},
    coalesce(used.up, 0) AS up, coalesce(used.down, 0) AS down, used.last_seen_at,
    data.bytes AS data_bytes, data.monthly_bytes AS data_monthly_bytes, data.used AS data_used,
    data.period_began_at AS data_period_began_at`
export const tables = sql`FROM accounts a ${wayTables} LEFT JOIN usage_totals used ON used.account_uuid = a.uuid
  LEFT JOIN data_limits data ON data.account_uuid = a.uuid`
export const selectAccounts = sql<AccountRecord>`SELECT ${columns} ${tables}`

export const findOwnAccount = (db: Db, userId: number, uuid: string): Promise<AccountRecord | undefined> =>
  first(db, sql<AccountRecord>`${selectAccounts} WHERE a.uuid = ${uuid} AND a.user_id = ${userId}`)

export const findAccountByLink = (db: Db, subscriptionHash: Buffer): Promise<AccountRecord | undefined> =>
  first(db, sql<AccountRecord>`${selectAccounts} WHERE a.subscription_hash = ${subscriptionHash}`)

/** Second in the lock order user -> account -> server. Another user's account is not found. */
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

const renewable = [
  'uuid',
  'name',
  'vpn_type',
  'tunnel_type',
  'chosen_ways',
  'extra_devices',
  'plan_terms',
  'expires_at',
  'starts_by',
  'enabled',
  'abused',
] as const
export type RenewableAccount = Pick<LockedAccount, (typeof renewable)[number]>

const ownAccounts = (db: Db, userId: number, uuids: readonly string[]) =>
  db.selectFrom('accounts').select(renewable).where(areOwn(userId, uuids))

export const findOwnAccounts = (
  db: Db,
  userId: number,
  uuids: readonly string[],
): Promise<RenewableAccount[]> => ownAccounts(db, userId, uuids).execute()

/** Locks in one order, so that two bulk operations cannot deadlock. */
export const lockOwnAccounts = (
  tx: Db,
  userId: number,
  uuids: readonly string[],
): Promise<RenewableAccount[]> => ownAccounts(tx, userId, uuids).orderBy('uuid').forUpdate().execute()

const newColumns = columnsFor('new') as (keyof NewAccount)[]

export const insertAccount = (tx: Db, account: NewAccount): Promise<AccountRecord> =>
  only(
    tx,
    sql<AccountRecord>`WITH accounts AS (
      INSERT INTO accounts (${sql.raw(newColumns.join(', '))})
      VALUES (${sql.join(newColumns.map((name) => account[name]))}) RETURNING *
    ) ${selectAccounts}`,
  )

export const updateAccount = (tx: Db, uuid: string, change: Change): Promise<AccountRecord> => {
  const changes = Object.entries(change).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  return only(
    tx,
    sql<AccountRecord>`WITH accounts AS (
      UPDATE accounts SET ${sql.join(changes)} WHERE uuid = ${uuid} RETURNING *
    ) ${selectAccounts}`,
  )
}

export async function setOwnEnabled(
  tx: Db,
  userId: number,
  uuids: readonly string[],
  enabled: boolean,
): Promise<void> {
  await tx.updateTable('accounts').set({ enabled }).where(areOwn(userId, uuids)).execute()
}

export async function deleteOwnAccounts(tx: Db, userId: number, uuids: readonly string[]): Promise<void> {
  await tx.deleteFrom('accounts').where(areOwn(userId, uuids)).execute()
}

export async function noteExpired(tx: Db, now: Date, limit: number) {
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
