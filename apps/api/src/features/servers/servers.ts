import {
  type addServer as addServerCall,
  type HostState,
  type Input,
  type Language,
  Refusal,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { type By, record } from '../audit/audit.ts'
import { isCountry } from '../countries/countries.ts'
import { announce } from '../events/events.ts'
import { dropRuns, hostEvent, logOfHost, queueRun } from '../provisioning/provisioning.ts'
import { toServer, toServerRow } from './server-shape.ts'
import * as store from './servers.store.ts'

export type { ServerRecord } from './servers.store.ts'
export { givePlaceBack, hasPlace, takePlace, type Wish } from './servers.store.ts'

type NewServer = Input<typeof addServerCall>

const refuseUnknownCountry = (countryId: number) => {
  if (!isCountry(countryId)) throw new Refusal('INCOMPLETE_INFORMATION', {}, { countryId: 'country' })
}

export async function listServers(ctx: Context, lng: Language) {
  const now = ctx.clock.now()
  return { items: (await store.listServers(ctx.db)).map((row) => toServer(row, lng, now)) }
}

export async function getServer(ctx: Context, uuid: string, lng: Language) {
  const row = await store.findServer(ctx.db, uuid)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  return toServer(row, lng, ctx.clock.now())
}

/** The row and its provisioning job together; the same UUID and body again is the same server. */
export async function addServer(ctx: Context, by: By, input: NewServer, lng: Language) {
  refuseForbiddenTarget(input.serverIPV4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  refuseUnknownCountry(input.countryId)
  const row = toServerRow(ctx, input)
  return ctx.atomically(async (tx) => {
    const isNew = await store.insertServer(tx, row)
    const stored = await store.findServer(tx, row.uuid)
    if (!stored?.request_hash.equals(row.request_hash)) throw new Refusal('UUID_TAKEN')
    if (isNew) {
      await queueRun(ctx, tx, 'server', row.uuid)
      await announce(ctx, tx, null, [hostEvent('server', row.uuid, row.state)])
      await record(ctx, tx, by, 'addserver', row.uuid, { name: row.name, ipv4: row.ipv4 })
    }
    return toServer(stored, lng, ctx.clock.now())
  })
}

export async function changeServer(
  ctx: Context,
  by: By,
  { serverUUID, serverIPV4, countryId }: { serverUUID: string; serverIPV4: string; countryId: number },
  lng: Language,
) {
  refuseForbiddenTarget(serverIPV4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  refuseUnknownCountry(countryId)
  return ctx.atomically(async (tx) => {
    const row = await changeState(ctx, tx, serverUUID, {
      ipv4: serverIPV4,
      country_id: countryId,
      state: 'queued',
    })
    await queueRun(ctx, tx, 'server', serverUUID)
    await record(ctx, tx, by, 'changeserver', serverUUID, { ipv4: serverIPV4, countryId })
    return toServer(row, lng, ctx.clock.now())
  })
}

export const provisionServer = (ctx: Context, by: By, uuid: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    await changeState(ctx, tx, uuid, { state: 'queued' })
    await queueRun(ctx, tx, 'server', uuid)
    await record(ctx, tx, by, 'provisionserver', uuid)
  })

export const setServerReady = (
  ctx: Context,
  by: By,
  { serverUUID, reason }: { serverUUID: string; reason: string },
  lng: Language,
) =>
  ctx.atomically(async (tx) => {
    await dropRuns(ctx, tx, serverUUID)
    const row = await changeState(ctx, tx, serverUUID, { state: 'ready' })
    await record(ctx, tx, by, 'setserverready', serverUUID, { reason })
    return toServer(row, lng, ctx.clock.now())
  })

export async function serverLog(ctx: Context, uuid: string) {
  const row = await store.findServer(ctx.db, uuid)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  return logOfHost(ctx, uuid, row.state)
}

export async function setServerState(ctx: Context, tx: Db, uuid: string, state: HostState): Promise<void> {
  await changeState(ctx, tx, uuid, { state })
}

async function changeState(
  ctx: Context,
  tx: Db,
  uuid: string,
  change: { ipv4?: string; country_id?: number; state: HostState },
): Promise<store.ServerRecord> {
  const row = await store.updateServer(tx, uuid, change)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  await announce(ctx, tx, null, [hostEvent('server', uuid, change.state)])
  return row
}
