import { type addTunnel as addTunnelCall, type HostState, type Input, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { healthOf } from '../../lib/health.ts'
import { type By, record } from '../audit/audit.ts'
import { announce } from '../events/events.ts'
import { dropRuns, hostEvent, logOfHost, queueRun } from '../provisioning/provisioning.ts'
import * as store from './tunnels.store.ts'

export { givePlaceBack, hasPlace, takePlace } from './tunnels.store.ts'

const toTunnel = (row: store.TunnelRecord, now: Date) => ({
  tunnelUUID: row.uuid,
  tunnelName: row.name,
  tunnelVersion: row.version,
  tunnelType: row.type,
  tunnelCreatorEmail: row.creator_email,
  tunnelIPV4: row.ipv4,
  tunnelURL: row.url,
  tunnelPort: row.port,
  tunnelMaxAccounts: row.max_accounts,
  tunnelAccounts: row.accounts,
  tunnelState: row.state,
  tunnelHealth: healthOf(row.last_seen_at, now),
  tunnelLastSeenDate: row.last_seen_at?.toISOString() ?? null,
  tunnelCreatedDate: row.created_at.toISOString(),
})

function toRow(ctx: Context, input: Input<typeof addTunnelCall>) {
  const { client: _, clientVersion: __, lng: ___, ...request } = input
  return {
    uuid: input.tunnelUUID,
    request_hash: ctx.seal.fingerprint('tunnel', JSON.stringify(request)),
    name: input.tunnelName,
    version: input.tunnelVersion,
    type: input.tunnelType,
    creator_email: input.tunnelCreatorEmail,
    ipv4: input.tunnelIPV4,
    url: input.tunnelURL,
    port: input.tunnelPort,
    max_accounts: input.tunnelMaxAccounts,
    state: 'queued' as const,
    last_seen_at: null,
    created_at: ctx.clock.now(),
  }
}

export async function listTunnels(ctx: Context) {
  const now = ctx.clock.now()
  return { items: (await store.listTunnels(ctx.db)).map((row) => toTunnel(row, now)) }
}

export async function getTunnel(ctx: Context, uuid: string) {
  const row = await store.findTunnel(ctx.db, uuid)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  return toTunnel(row, ctx.clock.now())
}

/** The row and its provisioning job together; the same UUID and body again is the same tunnel. */
export async function addTunnel(ctx: Context, by: By, input: Input<typeof addTunnelCall>) {
  refuseForbiddenTarget(input.tunnelIPV4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  const row = toRow(ctx, input)
  return ctx.atomically(async (tx) => {
    const isNew = await store.insertTunnel(tx, row)
    const stored = await store.findTunnel(tx, row.uuid)
    if (!stored?.request_hash.equals(row.request_hash)) throw new Refusal('UUID_TAKEN')
    if (isNew) {
      await queueRun(ctx, tx, 'tunnel', row.uuid)
      await announce(ctx, tx, null, [hostEvent('tunnel', row.uuid, row.state)])
      await record(ctx, tx, by, 'addtunnel', row.uuid, { name: row.name, ipv4: row.ipv4 })
    }
    return toTunnel(stored, ctx.clock.now())
  })
}

export async function changeTunnel(
  ctx: Context,
  by: By,
  { tunnelUUID, tunnelIPV4 }: { tunnelUUID: string; tunnelIPV4: string },
) {
  refuseForbiddenTarget(tunnelIPV4, ctx.config.KELID_ALLOW_RESERVED_TARGETS)
  return ctx.atomically(async (tx) => {
    const row = await changeState(ctx, tx, tunnelUUID, { ipv4: tunnelIPV4, state: 'queued' })
    await queueRun(ctx, tx, 'tunnel', tunnelUUID)
    await record(ctx, tx, by, 'changetunnel', tunnelUUID, { ipv4: tunnelIPV4 })
    return toTunnel(row, ctx.clock.now())
  })
}

export const provisionTunnel = (ctx: Context, by: By, uuid: string): Promise<void> =>
  ctx.atomically(async (tx) => {
    await changeState(ctx, tx, uuid, { state: 'queued' })
    await queueRun(ctx, tx, 'tunnel', uuid)
    await record(ctx, tx, by, 'provisiontunnel', uuid)
  })

export const setTunnelReady = (
  ctx: Context,
  by: By,
  { tunnelUUID, reason }: { tunnelUUID: string; reason: string },
) =>
  ctx.atomically(async (tx) => {
    await dropRuns(ctx, tx, tunnelUUID)
    const row = await changeState(ctx, tx, tunnelUUID, { state: 'ready' })
    await record(ctx, tx, by, 'settunnelready', tunnelUUID, { reason })
    return toTunnel(row, ctx.clock.now())
  })

export async function tunnelLog(ctx: Context, uuid: string) {
  const row = await store.findTunnel(ctx.db, uuid)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  return logOfHost(ctx, uuid, row.state)
}

export async function setTunnelState(ctx: Context, tx: Db, uuid: string, state: HostState): Promise<void> {
  await changeState(ctx, tx, uuid, { state })
}

async function changeState(
  ctx: Context,
  tx: Db,
  uuid: string,
  change: { ipv4?: string; state: HostState },
): Promise<store.TunnelRecord> {
  const row = await store.updateTunnel(tx, uuid, change)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  await announce(ctx, tx, null, [hostEvent('tunnel', uuid, change.state)])
  return row
}
