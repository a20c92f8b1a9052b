import type { HostKind, HostState, QuotaState } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOpen, searchHosts } from './host-list.store.ts'
import { type Fit, givePlaceBack, tableOf } from './hosts.store.ts'
import { leadsFromAll, leadsToAll } from './ways.store.ts'

export interface HostPlaces {
  uuid: string
  state: HostState
  paused: boolean
  quota_state: QuotaState
  accounts: number
  room: number
  fit: Fit
  /** 0 for a tunnel, whose country is the server's. */
  countryId: number
}

const columns = [
  'uuid',
  'state',
  'paused',
  'quota_state',
  'accounts',
  sql<number>`max_accounts - accounts`.as('room'),
] as const

export const findPlaces = (db: Db, kind: HostKind, uuid: string): Promise<HostPlaces | undefined> =>
  kind === 'server' ? serverPlaces(db, uuid) : tunnelPlaces(db, uuid)

async function serverPlaces(db: Db, uuid: string): Promise<HostPlaces | undefined> {
  const row = await db
    .selectFrom('servers')
    .select(columns)
    .select(['vpn_type', 'tunnel_type', 'country_id'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  if (!row) return undefined
  const { vpn_type, tunnel_type, country_id: countryId, ...places } = row
  return { ...places, fit: { vpn_type, tunnel_type }, countryId }
}

async function tunnelPlaces(db: Db, uuid: string): Promise<HostPlaces | undefined> {
  const row = await db
    .selectFrom('tunnels')
    .select(columns)
    .select('type')
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  if (!row) return undefined
  const { type, ...places } = row
  return { ...places, fit: { type }, countryId: 0 }
}

const columnOf = { server: 'server_uuid', tunnel: 'tunnel_uuid' } as const

/** The tunnels by which accounts of a server come, or the servers to which accounts of a tunnel go. */
export async function otherEnds(db: Db, kind: HostKind, uuid: string): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('placements')
    .select(kind === 'server' ? 'tunnel_uuid as uuid' : 'server_uuid as uuid')
    .where(columnOf[kind], '=', uuid)
    .distinct()
    .execute()
  return rows.map((row) => row.uuid)
}

const leads = (kind: HostKind, ends: readonly (string | null)[]) =>
  kind === 'server' ? leadsFromAll(ends) : leadsToAll(ends)

/** Whether customers with these other ends would get through a host. */
export async function leadsTo(
  db: Db,
  kind: HostKind,
  uuid: string,
  ends: readonly (string | null)[],
): Promise<boolean> {
  const row = await db
    .selectFrom(tableOf[kind])
    .select(leads(kind, ends).as('leads'))
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return row?.leads === true
}

/** Open, interchangeable, reached by all these ends and with a free place; most free places first. */
export function listTargets(
  db: Db,
  kind: HostKind,
  { uuid, fit }: HostPlaces,
  ends: readonly (string | null)[],
  { search, limit }: { search?: string | undefined; limit: number },
): Promise<{ uuid: string; name: string; room: number }[]> {
  const room = sql<number>`max_accounts - accounts`
  let list = searchHosts(db.selectFrom(tableOf[kind]).select(['uuid', 'name', room.as('room')]), search)
    .where('uuid', '!=', uuid)
    .where(isOpen)
    .whereRef('accounts', '<', 'max_accounts')
    .where(leads(kind, ends))
  for (const [column, value] of Object.entries(fit)) list = list.where(sql.ref(column), '=', value)
  return list.orderBy(room, 'desc').orderBy('uuid').limit(limit).execute()
}

/** Second in the lock order user -> account -> server; accounts are locked in a common order. */
export async function lockAccountsOf(tx: Db, kind: HostKind, uuid: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select(sql<number>`1`.as('locked'))
    .where('uuid', 'in', (placed) =>
      placed.selectFrom('placements').select('account_uuid').where(columnOf[kind], '=', uuid),
    )
    .orderBy('uuid')
    .forUpdate()
    .execute()
}

/**
 * An account with a way to both servers has one there after the move. This ends the other one, and returns how many of
 * the ended ways were at the target.
 */
async function joinWays(tx: Db, from: string, to: string): Promise<number> {
  const { rows } = await sql<{ account_uuid: string; server_uuid: string; tunnel_uuid: string | null }>`
    DELETE FROM account_ways w WHERE CASE server_uuid
      WHEN ${to} THEN EXISTS (SELECT FROM accounts a WHERE a.uuid = w.account_uuid AND a.server_uuid = ${from})
      WHEN ${from} THEN EXISTS (SELECT FROM placements p WHERE p.account_uuid = w.account_uuid AND p.server_uuid = ${to})
      ELSE false END AND server_uuid IN (${from}, ${to})
    RETURNING account_uuid, server_uuid, tunnel_uuid`.execute(tx)
  await forgetEndedWays(
    tx,
    rows.map(({ account_uuid }) => account_uuid),
  )
  for (const { tunnel_uuid } of rows) if (tunnel_uuid) await givePlaceBack(tx, 'tunnel', tunnel_uuid)
  return rows.filter(({ server_uuid }) => server_uuid === to).length
}

/** A chosen way that has ended costs nothing any more. */
export async function forgetEndedWays(tx: Db, accountUUIDs: readonly string[]): Promise<void> {
  await sql`UPDATE accounts SET chosen_ways = least(chosen_ways,
      (SELECT count(*) FROM account_ways WHERE account_uuid = accounts.uuid))
    WHERE uuid = ANY (${[...accountUUIDs]}::uuid[]) AND chosen_ways > 0`.execute(tx)
}

export async function moveAccounts(
  tx: Db,
  kind: HostKind,
  from: string,
  to: string,
  count: number,
): Promise<void> {
  const joinedWays = kind === 'server' ? await joinWays(tx, from, to) : 0
  const column = sql.ref(columnOf[kind])
  const first = await sql`UPDATE accounts SET ${column} = ${to} WHERE ${column} = ${from}`.execute(tx)
  // Another server has applied nothing yet.
  const forget = kind === 'server' ? sql`, applied_revision = NULL` : sql``
  const further = await sql`UPDATE account_ways SET ${column} = ${to} ${forget}
    WHERE ${column} = ${from}`.execute(tx)
  await givePlaceBack(tx, kind, from, count)
  const movedWays = Number(first.numAffectedRows ?? 0) + Number(further.numAffectedRows ?? 0)
  await givePlaceBack(tx, kind, to, joinedWays - movedWays)
}
