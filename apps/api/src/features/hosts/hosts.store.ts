import type { HostKind, HostState, TunnelType, VpnType } from '@kelid/contract'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { type Db, first, only } from '../../db/database.ts'
import type { ServerRow, TunnelRow } from '../../db/schema.ts'
import { hasBlock, isBlockedFor, type Target } from './blocks.store.ts'
import { leadsDirectly, leadsThrough } from './ways.store.ts'

export const tableOf = { server: 'servers', tunnel: 'tunnels' } as const satisfies Record<HostKind, string>

export type ServerRecord = Selectable<ServerRow>
export type TunnelRecord = Selectable<TunnelRow>

export type NewHost = Insertable<ServerRow> | Insertable<TunnelRow>

export async function insertHost(tx: Db, kind: HostKind, host: NewHost): Promise<boolean> {
  const result = await tx
    .insertInto(tableOf[kind])
    .values(host)
    .onConflict((conflict) => conflict.column('uuid').doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const findHost = (db: Db, kind: HostKind, uuid: string) =>
  db.selectFrom(tableOf[kind]).select(['request_hash', 'state']).where('uuid', '=', uuid).executeTakeFirst()

export const findTarget = (db: Db, kind: HostKind, uuid: string) =>
  db.selectFrom(tableOf[kind]).select(['ipv4', 'url']).where('uuid', '=', uuid).executeTakeFirst()

const lockedColumns = ['name', 'ipv4', 'state', 'paused', 'accounts', 'upkeep_failures'] as const
export type LockedHost = Pick<Selectable<ServerRow>, (typeof lockedColumns)[number]>

/** Locks the table first, because an operation that locks all places would deadlock with a row's owner. */
export async function lockHost(tx: Db, kind: HostKind, uuid: string): Promise<LockedHost | undefined> {
  await sql`LOCK TABLE ${sql.table(tableOf[kind])} IN ROW EXCLUSIVE MODE`.execute(tx)
  return tx
    .selectFrom(tableOf[kind])
    .select(lockedColumns)
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst() as Promise<LockedHost | undefined>
}

export type EditedColumns = Partial<
  Pick<Updateable<ServerRow>, 'name' | 'max_accounts' | 'details' | 'secrets' | 'quota' | 'quota_day'> &
    Pick<Updateable<TunnelRow>, 'creator_email' | 'version'>
>

export type MovedColumns = Pick<Updateable<ServerRow>, 'secrets'> &
  Partial<Pick<Updateable<ServerRow>, 'country_id' | 'details' | 'url' | 'port' | 'ssh_port'>> &
  Partial<Pick<Updateable<TunnelRow>, 'served_port' | 'ipv6' | 'site'>>

export const findServer = (db: Db, uuid: string): Promise<ServerRecord | undefined> =>
  db.selectFrom('servers').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export const findTunnel = (db: Db, uuid: string): Promise<TunnelRecord | undefined> =>
  db.selectFrom('tunnels').selectAll().where('uuid', '=', uuid).executeTakeFirst()

export type HostRow = { kind: 'server'; row: ServerRecord } | { kind: 'tunnel'; row: TunnelRecord }

export async function findRow(db: Db, kind: HostKind, uuid: string): Promise<HostRow | undefined> {
  const host = { kind, row: kind === 'server' ? await findServer(db, uuid) : await findTunnel(db, uuid) }
  return host.row ? (host as HostRow) : undefined
}

export async function readRow(tx: Db, kind: HostKind, uuid: string): Promise<HostRow> {
  const host = await findRow(tx, kind, uuid)
  if (!host) throw new Error(`host ${uuid} does not exist`)
  return host
}

export async function updateHost(
  tx: Db,
  kind: HostKind,
  uuid: string,
  change:
    | {
        state?: HostState
        ipv4?: string
        paused?: boolean
        serving?: null
        served_port?: null
        set_by_hand?: boolean
        probe_applied_at?: null
      }
    | EditedColumns
    | MovedColumns,
): Promise<boolean> {
  const result = await tx.updateTable(tableOf[kind]).set(change).where('uuid', '=', uuid).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteHost(tx: Db, kind: HostKind, uuid: string): Promise<void> {
  await tx.deleteFrom(tableOf[kind]).where('uuid', '=', uuid).execute()
  await tx
    .deleteFrom('ways')
    .where((way) => way.or([way('exit_uuid', '=', uuid), way('entry_uuid', '=', uuid)]))
    .execute()
  for (const table of ['node_reports', 'node_lists', 'node_cuts', 'node_states', 'host_blocks'] as const)
    await tx.deleteFrom(table).where('host_uuid', '=', uuid).execute()
  await tx.updateTable('node_cuts').set({ exit_uuid: null }).where('exit_uuid', '=', uuid).execute()
}

export type Fit = Readonly<Record<string, string | number>>

const hosts = { server: sql`servers`, tunnel: sql`tunnels` } as const satisfies Record<HostKind, unknown>

const hasRoom = (kind: HostKind) => {
  const of = (column: string) => sql.ref(`${tableOf[kind]}.${column}`)
  return sql`${of('state')} = 'ready' AND NOT ${of('paused')} AND ${of('quota_state')} <> 'exhausted'
    AND ${of('accounts')} < ${of('max_accounts')}`
}

/**
 * How full a host counts when places are given out. One that is back after its accounts were replaced counts as full at
 * first, and a day later as what it is.
 */
const loadOf = (kind: HostKind) => {
  const of = (column: string) => sql.ref(`${tableOf[kind]}.${column}`)
  return sql`greatest(${of('accounts')}::float8 / ${of('max_accounts')},
    1 - extract(epoch FROM now() - ${of('returned_at')}) / 86400)`
}

/** Nothing if its accounts were not replaced since it was back last. */
export async function noteReturn(tx: Db, kind: HostKind, uuid: string): Promise<void> {
  await sql`UPDATE ${hosts[kind]} SET returned_at = now()
    WHERE uuid = ${uuid} AND EXISTS (SELECT FROM replacements
      WHERE host_uuid = ${uuid} AND NOT only_blocked AND started_at > coalesce(returned_at, '-infinity'))`.execute(
    tx,
  )
}

/** Ranks servers by how many of these details they have; the others come last. */
export type Preference = Readonly<Record<string, string>>

const byRank = (preference: Preference) => {
  const matches = Object.entries(preference).map(
    ([detail, value]) => sql`(lower(details ->> ${detail}) = lower(${value}))::int`,
  )
  return matches.length > 0 ? sql`${sql.join(matches, sql` + `)} DESC,` : sql``
}

const isOpenTo = (kind: HostKind, target?: Target) =>
  sql`NOT ${isBlockedFor(sql.ref(`${tableOf[kind]}.uuid`), target)}`

/** Customers get through it: directly, or by a tunnel with a free place that leads there. */
const reachableIf = (isTunnelFit: RawBuilder<unknown>) =>
  sql`CASE WHEN servers.tunnel_type = '' THEN ${leadsDirectly} ELSE EXISTS (SELECT FROM tunnels
  WHERE tunnels.type = servers.tunnel_type AND ${hasRoom('tunnel')} AND ${leadsThrough} AND ${isTunnelFit}) END`
const isReachable = reachableIf(sql`true`)

export interface Places {
  server_uuid: string
  tunnel_uuid: string | null
}

interface Choice {
  readonly preference?: Preference
  /** Of other ways of the account: not these servers, and other machines than these if possible. */
  readonly taken?: readonly Places[]
  /** Never a server on one of these machines. */
  readonly onlyElsewhere?: boolean
  /** Where the customer is: never a host that is blocked there. */
  readonly target?: Target
}

const serversOf = (places: readonly Places[]) => sql`${places.map(({ server_uuid }) => server_uuid)}::uuid[]`

/** Customers know the address of the tunnel, and the server there ends with its machine too. */
const isAt = (kind: HostKind, places: readonly Places[]) => sql`${sql.ref(`${tableOf[kind]}.ipv4`)} IN (
  SELECT ipv4 FROM servers WHERE uuid = ANY (${serversOf(places)})
  UNION SELECT ipv4 FROM tunnels WHERE uuid = ANY (${places.flatMap(({ tunnel_uuid }) => tunnel_uuid ?? [])}::uuid[]))`

/** The least full server that fits, or the least full tunnel that leads to this server. */
const withRoom = {
  server: (fit: Fit, { preference = {}, taken = [], onlyElsewhere = false, target }: Choice = {}) => {
    const isHere = isAt('server', taken)
    const [isOther, first] =
      taken.length === 0
        ? [sql``, sql``]
        : [
            sql`AND uuid <> ALL (${serversOf(taken)}) AND NOT (${onlyElsewhere} AND ${isHere})`,
            sql`${isHere},`,
          ]
    const fits = Object.entries(fit).map(([column, value]) => sql`AND ${sql.ref(column)} = ${value}`)
    return sql<{ uuid: string }>`SELECT uuid FROM servers
      WHERE ${hasRoom('server')} ${sql.join(fits, sql` `)} AND ${reachableIf(isOpenTo('tunnel', target))}
        AND ${isOpenTo('server', target)} ${isOther}
      ORDER BY ${first} ${byRank(preference)} ${loadOf('server')}, uuid LIMIT 1`
  },
  tunnel: ({ server }: Fit, { taken = [], target }: Choice = {}) => sql<{
    uuid: string
  }>`SELECT tunnels.uuid FROM servers
    JOIN tunnels ON tunnels.type = servers.tunnel_type
    WHERE servers.uuid = ${server} AND ${hasRoom('tunnel')} AND ${leadsThrough} AND ${isOpenTo('tunnel', target)}
    ORDER BY ${isAt('tunnel', taken)}, ${loadOf('tunnel')}, tunnels.uuid
    LIMIT 1`,
}

export interface Offer {
  country_id: number
  vpn_type: VpnType
  tunnel_type: TunnelType | ''
}

/** Offers need a server with a free place and, for tunnelled types, a tunnel with one that leads there. */
export const listOffers = async (db: Db): Promise<Offer[]> =>
  (
    await sql<Offer>`SELECT DISTINCT country_id, vpn_type, tunnel_type FROM servers
      WHERE ${hasRoom('server')} AND ${isReachable}`.execute(db)
  ).rows

export interface TargetOffer extends Offer {
  country: string
  operator: string
}

const isBlockedForOwnTarget = hasBlock(sql`servers.uuid`, {
  country: sql`coalesce(details ->> 'serverTargetCountry', '')`,
  operator: sql`coalesce(details ->> 'serverTargetOperator', '')`,
})

export const listTargets = async (db: Db): Promise<TargetOffer[]> =>
  (
    await sql<TargetOffer>`SELECT DISTINCT country_id, vpn_type, tunnel_type,
        details ->> 'serverTargetCountry' AS country, details ->> 'serverTargetOperator' AS operator
      FROM servers WHERE ${hasRoom('server')} AND ${isReachable}
        AND (details ->> 'serverTargetCountry' <> '' OR details ->> 'serverTargetOperator' <> '')
        AND NOT ${isBlockedForOwnTarget}
      ORDER BY country, operator`.execute(db)
  ).rows

export interface EndingServer {
  uuid: string
  name: string
  expireDate: string
}

/** Dates are stored as text and validated when they are entered, so their order is that of the text. */
export const endingServers = async (db: Db, until: string): Promise<EndingServer[]> =>
  (
    await sql<EndingServer>`SELECT uuid, name, details ->> 'serverExpireDate' AS "expireDate" FROM servers
      WHERE details ->> 'serverExpireDate' <> '' AND details ->> 'serverExpireDate' <= ${until}
      ORDER BY "expireDate", name LIMIT 50`.execute(db)
  ).rows

export const hasPlace = async (db: Db, kind: HostKind, fit: Fit, choice?: Choice): Promise<boolean> =>
  (await first(db, withRoom[kind](fit, choice))) !== undefined

/**
 * Takes a place on the least full suitable host, preferred ones first; undefined if none has one. The chosen host may fill up while this
 * waits for its row; then it chooses again. It cannot deadlock: a full host stays locked, so a later transaction sees
 * it as full and waits for another.
 */
export async function takePlace(
  tx: Db,
  kind: HostKind,
  fit: Fit,
  choice?: Choice,
): Promise<string | undefined> {
  for (;;) {
    const hostWithPlace = await first(
      tx,
      sql<{ uuid: string }>`UPDATE ${hosts[kind]} SET accounts = accounts + 1
        WHERE uuid = (${withRoom[kind](fit, choice)}) AND ${hasRoom(kind)} RETURNING uuid`,
    )
    if (hostWithPlace || !(await hasPlace(tx, kind, fit, choice))) return hostWithPlace?.uuid
  }
}

const room = (kind: HostKind) =>
  sql`greatest(0, ${sql.ref(`${tableOf[kind]}.max_accounts`)} - ${sql.ref(`${tableOf[kind]}.accounts`)})`

export const roomBesideServer = (
  db: Db,
  uuid: string,
  target: Target | undefined,
): Promise<{ here: number; all: number }> =>
  only(
    db,
    sql<{ here: number; all: number }>`
      SELECT coalesce(sum(${room('server')}) FILTER (WHERE servers.country_id = this.country_id), 0) AS here,
        coalesce(sum(${room('server')}), 0) AS all
      FROM servers JOIN servers this ON this.uuid = ${uuid} AND servers.uuid <> this.uuid
        AND servers.ipv4 <> this.ipv4
        AND (servers.vpn_type, servers.tunnel_type) = (this.vpn_type, this.tunnel_type)
      WHERE ${hasRoom('server')} AND ${reachableIf(isOpenTo('tunnel', target))}
        AND ${isOpenTo('server', target)}`,
  )

/** Behind another tunnel an account keeps its server, and so its country. */
export const roomBesideTunnel = (
  db: Db,
  uuid: string,
  target: Target | undefined,
): Promise<{ here: number; all: number }> =>
  only(
    db,
    sql<{ here: number; all: number }>`
      SELECT coalesce(sum(${room('tunnel')}), 0) AS here, coalesce(sum(${room('tunnel')}), 0) AS all
      FROM tunnels JOIN tunnels this ON this.uuid = ${uuid} AND tunnels.uuid <> this.uuid AND tunnels.type = this.type
      WHERE ${hasRoom('tunnel')} AND ${isOpenTo('tunnel', target)}`,
  )

/** Blocks all changes of places until this transaction ends; reads continue. */
export const lockPlaces = async (tx: Db): Promise<void> => {
  await sql`LOCK TABLE servers, tunnels IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
}

/** Also counts removals, by which a node distinguishes intent from data loss. A negative count takes places. */
export async function givePlaceBack(tx: Db, kind: HostKind, uuid: string, count = 1): Promise<void> {
  const removals = kind === 'server' ? sql`, removals = removals + greatest(${count}::int, 0)` : sql``
  await sql`UPDATE ${hosts[kind]} SET accounts = accounts - ${count}::int ${removals} WHERE uuid = ${uuid}`.execute(
    tx,
  )
}

export async function countHosts(db: Db, kind: HostKind) {
  const rows = await db
    .selectFrom(tableOf[kind])
    .select(['state', sql<number>`count(*)`.as('total')])
    .select([sql<number>`sum(max_accounts)`.as('capacity'), sql<number>`sum(accounts)`.as('accounts')])
    .groupBy('state')
    .execute()
  const sum = (of: 'capacity' | 'accounts') => rows.reduce((total, row) => total + row[of], 0)
  return {
    byState: Object.fromEntries(rows.map((row) => [row.state, row.total])) as Partial<
      Record<HostState, number>
    >,
    capacity: sum('capacity'),
    accounts: sum('accounts'),
  }
}
