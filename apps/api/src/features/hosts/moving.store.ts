import type { HostKind, HostState } from '@kelid/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { searchHosts } from './host-list.store.ts'
import { type Fit, givePlaceBack, tableOf } from './hosts.store.ts'

export interface HostPlaces {
  uuid: string
  state: HostState
  paused: boolean
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

/** Ready, not paused, interchangeable and with a free place; most free places first. */
export function listTargets(
  db: Db,
  kind: HostKind,
  { uuid, fit }: HostPlaces,
  { search, limit }: { search?: string | undefined; limit: number },
): Promise<{ uuid: string; name: string; room: number }[]> {
  const room = sql<number>`max_accounts - accounts`
  let list = searchHosts(db.selectFrom(tableOf[kind]).select(['uuid', 'name', room.as('room')]), search)
    .where('uuid', '!=', uuid)
    .where('state', '=', 'ready')
    .where('paused', '=', false)
    .whereRef('accounts', '<', 'max_accounts')
  for (const [column, value] of Object.entries(fit)) list = list.where(sql.ref(column), '=', value)
  return list.orderBy(room, 'desc').orderBy('uuid').limit(limit).execute()
}

const columnOf = { server: 'server_uuid', tunnel: 'tunnel_uuid' } as const

/** Second in the lock order user -> account -> server; accounts are locked in a common order. */
export async function lockAccountsOf(tx: Db, kind: HostKind, uuid: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select(sql<number>`1`.as('locked'))
    .where(columnOf[kind], '=', uuid)
    .orderBy('uuid')
    .forUpdate()
    .execute()
}

export async function moveAccounts(
  tx: Db,
  kind: HostKind,
  from: string,
  to: string,
  count: number,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ [columnOf[kind]]: to })
    .where(columnOf[kind], '=', from)
    .execute()
  await givePlaceBack(tx, kind, from, count)
  await givePlaceBack(tx, kind, to, -count)
}
