import type { HostRoom, HostState } from '@kelid/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { containing, type Order, readPage } from '../../db/page.ts'
import type { Schema } from '../../db/schema.ts'

export const isOpen = sql<boolean>`(state = 'ready' AND NOT paused AND quota_state <> 'exhausted')`

/** The dashboard's counts and the lists' filters share these conditions. */
export const inRoom: Record<HostRoom, RawBuilder<boolean>> = {
  full: sql`accounts >= max_accounts`,
  nearlyFull: sql`(accounts < max_accounts AND accounts >= max_accounts * 0.9)`,
}

export type HostSort = 'name' | '-accounts' | '-created_at'

export interface HostQuery {
  search?: string | undefined
  state?: HostState | undefined
  room?: HostRoom | undefined
  among?: readonly string[] | undefined
  sort: HostSort
  cursor?: string | undefined
  limit?: number | undefined
}

interface HostRow {
  uuid: string
  name: string
  accounts: number
  created_at: Date
}

const identity: Order<HostRow>['identity'] = { column: sql`uuid`, kind: 'uuid', of: (host) => host.uuid }

const orders: Record<HostSort, Order<HostRow>> = {
  name: {
    column: sql`lower(name)`,
    kind: 'text',
    isDown: false,
    sortValue: (host) => host.name.toLowerCase(),
    identity,
  },
  '-accounts': {
    column: sql`accounts`,
    kind: 'number',
    isDown: true,
    sortValue: (host) => host.accounts,
    identity,
  },
  '-created_at': {
    column: sql`created_at`,
    kind: 'date',
    isDown: true,
    sortValue: (host) => host.created_at,
    identity,
  },
}

type Hosts<Row> = SelectQueryBuilder<Schema, 'servers' | 'tunnels', Row>

export function searchHosts<Row>(hosts: Hosts<Row>, search: string | undefined): Hosts<Row> {
  if (!search) return hosts
  const pattern = containing(search)
  return hosts.where((host) =>
    host.or([host('name', 'ilike', pattern), host('ipv4', 'ilike', pattern), host('url', 'ilike', pattern)]),
  )
}

export async function listHosts<Row extends HostRow>(hosts: Hosts<Row>, query: HostQuery) {
  const { search, state, room, among, sort } = query
  let list = searchHosts(hosts, search)
  if (state) list = list.where('state', '=', state)
  if (room) list = list.where(isOpen).where(inRoom[room])
  if (among) list = list.where(sql<boolean>`uuid = ANY (${[...among]}::uuid[])`)
  const [page, { total }] = await Promise.all([
    readPage(list, orders[sort], query),
    list.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { ...page, total }
}
