import {
  type addTunnel as addTunnelCall,
  type changeTunnel as changeTunnelCall,
  type getTunnelMoveTargets as getTunnelMoveTargetsCall,
  type getTunnels as getTunnelsCall,
  type Input,
  limits,
  Refusal,
  type setTunnelPaused as setTunnelPausedCall,
  type TunnelSort,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import type { By } from '../audit/audit.ts'
import {
  addHost,
  cancelRuns,
  type HostSort,
  healthOf,
  holdHost,
  moveHost,
  placesOf,
  setHostPaused,
  setHostReady,
} from '../hosts/hosts.ts'
import * as store from './tunnels.store.ts'

export { openTunnelSecrets } from './tunnel-secrets.ts'

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
  tunnelPaused: row.paused,
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

export const hostOf = (uuid: string) => ({ kind: 'tunnel', uuid }) as const

const sorts: Record<TunnelSort, HostSort> = {
  tunnelName: 'name',
  '-tunnelAccounts': '-accounts',
  '-tunnelCreatedDate': '-created_at',
}

export async function listTunnels(
  ctx: Context,
  { sort = '-tunnelCreatedDate', ...query }: Input<typeof getTunnelsCall>,
) {
  const now = ctx.clock.now()
  const { rows, ...page } = await store.listTunnels(ctx.db, { ...query, sort: sorts[sort] })
  return { items: rows.map((row) => toTunnel(row, now)), ...page }
}

export async function getTunnel(ctx: Context, uuid: string, db: Db = ctx.db) {
  const row = await store.findTunnel(db, uuid)
  if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
  return toTunnel(row, ctx.clock.now())
}

export const addTunnel = (ctx: Context, by: By, input: Input<typeof addTunnelCall>) =>
  ctx.atomically(async (tx) => {
    await addHost(ctx, tx, by, 'tunnel', toRow(ctx, input))
    return getTunnel(ctx, input.tunnelUUID, tx)
  })

/** To another address. */
export const changeTunnel = (ctx: Context, by: By, input: Input<typeof changeTunnelCall>) =>
  ctx.atomically(async (tx) => {
    const { tunnelUUID, tunnelIPV4, basedOn } = input
    const { ipv4 } = await holdHost(tx, hostOf(tunnelUUID))
    requireAsSeen(basedOn, { tunnelIPV4: ipv4 })
    await moveHost(ctx, tx, by, hostOf(tunnelUUID), tunnelIPV4)
    return getTunnel(ctx, tunnelUUID, tx)
  })

export const setTunnelReady = (
  ctx: Context,
  by: By,
  { tunnelUUID, reason }: { tunnelUUID: string; reason: string },
) =>
  ctx.atomically(async (tx) => {
    await setHostReady(ctx, tx, by, hostOf(tunnelUUID), reason)
    return getTunnel(ctx, tunnelUUID, tx)
  })

export const moveOf = (input: { tunnelUUID: string; toTunnelUUID: string }) => ({
  from: hostOf(input.tunnelUUID),
  to: hostOf(input.toTunnelUUID),
})

export async function listMoveTargets(
  ctx: Context,
  { tunnelUUID, search, limit = limits.pageMax }: Input<typeof getTunnelMoveTargetsCall>,
) {
  const source = await placesOf(ctx.db, hostOf(tunnelUUID))
  const rows = await store.listMoveTargets(ctx.db, source, { search, limit })
  return { items: rows.map((row) => toTunnel(row, ctx.clock.now())) }
}

export const cancelTunnelRun = (ctx: Context, by: By, { tunnelUUID }: { tunnelUUID: string }) =>
  ctx.atomically(async (tx) => {
    await cancelRuns(ctx, tx, by, hostOf(tunnelUUID))
    return getTunnel(ctx, tunnelUUID, tx)
  })

export const setTunnelPaused = (
  ctx: Context,
  by: By,
  { tunnelUUID, tunnelPaused, basedOn }: Input<typeof setTunnelPausedCall>,
) =>
  ctx.atomically(async (tx) => {
    await setHostPaused(ctx, tx, by, hostOf(tunnelUUID), tunnelPaused, basedOn?.tunnelPaused)
    return getTunnel(ctx, tunnelUUID, tx)
  })
