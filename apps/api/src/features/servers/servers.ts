import {
  type addServer as addServerCall,
  type getServers as getServersCall,
  type Input,
  type Language,
  Refusal,
  type ServerSort,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { By } from '../audit/audit.ts'
import { isCountry } from '../countries/countries.ts'
import { addHost, type HostSort, moveHost, setHostReady } from '../hosts/hosts.ts'
import { toServer, toServerRow } from './server-shape.ts'
import * as store from './servers.store.ts'

const refuseUnknownCountry = (countryId: number) => {
  if (!isCountry(countryId)) throw new Refusal('INCOMPLETE_INFORMATION', {}, { countryId: 'country' })
}

export const hostOf = (uuid: string) => ({ kind: 'server', uuid }) as const

const sorts: Record<ServerSort, HostSort> = {
  serverName: 'name',
  '-serverAccounts': '-accounts',
  '-serverCreatedDate': '-created_at',
}

export async function listServers(
  ctx: Context,
  { sort = '-serverCreatedDate', ...query }: Input<typeof getServersCall>,
  lng: Language,
) {
  const now = ctx.clock.now()
  const { rows, ...page } = await store.listServers(ctx.db, { ...query, sort: sorts[sort] })
  return { items: rows.map((row) => toServer(row, lng, now)), ...page }
}

export async function getServer(ctx: Context, uuid: string, lng: Language, db: Db = ctx.db) {
  const row = await store.findServer(db, uuid)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  return toServer(row, lng, ctx.clock.now())
}

export const addServer = (ctx: Context, by: By, input: Input<typeof addServerCall>, lng: Language) =>
  ctx.atomically(async (tx) => {
    refuseUnknownCountry(input.countryId)
    await addHost(ctx, tx, by, 'server', toServerRow(ctx, input))
    return getServer(ctx, input.serverUUID, lng, tx)
  })

export const changeServer = (
  ctx: Context,
  by: By,
  { serverUUID, serverIPV4, countryId }: { serverUUID: string; serverIPV4: string; countryId: number },
  lng: Language,
) =>
  ctx.atomically(async (tx) => {
    refuseUnknownCountry(countryId)
    await store.setCountry(tx, serverUUID, countryId)
    await moveHost(ctx, tx, by, hostOf(serverUUID), serverIPV4, { countryId })
    return getServer(ctx, serverUUID, lng, tx)
  })

export const setServerReady = (
  ctx: Context,
  by: By,
  { serverUUID, reason }: { serverUUID: string; reason: string },
  lng: Language,
) =>
  ctx.atomically(async (tx) => {
    await setHostReady(ctx, tx, by, hostOf(serverUUID), reason)
    return getServer(ctx, serverUUID, lng, tx)
  })
