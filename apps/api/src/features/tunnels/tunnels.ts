import {
  type addTunnel as addTunnelCall,
  type changeTunnel as changeTunnelCall,
  type getTunnels as getTunnelsCall,
  type Input,
  Refusal,
  type TunnelSort,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { fromTo, requireAsSeen } from '../../lib/as-seen.ts'
import { refuseForbiddenSite, refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { pickDefined } from '../../lib/given.ts'
import type { Actor } from '../audit/audit.ts'
import { hostsInHealth, type Probe, probesOf, tellHealth } from '../health/health.ts'
import { addHost, findTunnel, type HostSort, moveHost, type TunnelRecord } from '../hosts/hosts.ts'
import { holdMachine } from '../hosts/machine.ts'
import { quotaMonthsOf } from '../hosts/quotas.ts'
import { setHostReady } from '../hosts/runs.ts'
import {
  defaultSshPort,
  hasSshSecret,
  moveSecrets,
  openSecrets,
  sealSecrets,
  secretsIn,
} from '../hosts/secrets.ts'
import * as store from './tunnels.store.ts'

const toTunnel = (ctx: Context, row: TunnelRecord, probe: Probe | undefined, now: Date) => ({
  tunnelUUID: row.uuid,
  tunnelName: row.name,
  tunnelVersion: row.version,
  tunnelType: row.type,
  tunnelCreatorEmail: row.creator_email,
  tunnelIPV4: row.ipv4,
  tunnelIPV6: row.ipv6,
  tunnelURL: row.url,
  tunnelSite: row.site,
  tunnelPort: row.port,
  tunnelSSHPort: row.ssh_port,
  tunnelMaxAccounts: row.max_accounts,
  tunnelQuota: row.quota,
  tunnelQuotaDay: row.quota_day,
  tunnelAccounts: row.accounts,
  tunnelHasSSHSecret: hasSshSecret('tunnel', openSecrets(ctx, 'tunnel', row)),
  tunnelState: row.state,
  tunnelPaused: row.paused,
  tunnelHealth: tellHealth(row, probe, now).health,
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
    ipv6: input.tunnelIPV6 ?? '',
    site: input.tunnelSite ?? '',
    url: input.tunnelURL,
    port: input.tunnelPort,
    ssh_port: input.tunnelSSHPort ?? defaultSshPort,
    max_accounts: input.tunnelMaxAccounts,
    quota: input.tunnelQuota ?? 0,
    quota_day: input.tunnelQuotaDay ?? 1,
    secrets: sealSecrets(ctx, 'tunnel', input.tunnelUUID, secretsIn('tunnel', input)),
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
  { sort = '-tunnelCreatedDate', health, tunnelType, ...query }: Input<typeof getTunnelsCall>,
) {
  const among = health && (await hostsInHealth(ctx.db, 'tunnel', health, ctx.clock.now()))
  const { rows, ...page } = await store.listTunnels(ctx.db, tunnelType, {
    ...query,
    among,
    sort: sorts[sort],
  })
  return { items: await toTunnels(ctx, rows), ...page }
}

async function toTunnels(ctx: Context, rows: readonly TunnelRecord[], db: Db = ctx.db) {
  const now = ctx.clock.now()
  const probes = await probesOf(
    db,
    rows.map(({ uuid }) => uuid),
  )
  const quotaMonthOf = await quotaMonthsOf(db, rows, now)
  return rows.map((row) => ({
    ...toTunnel(ctx, row, probes.get(row.uuid), now),
    tunnelQuotaMonth: quotaMonthOf(row),
  }))
}

export async function getTunnel(ctx: Context, uuid: string, db: Db = ctx.db) {
  const row = await findTunnel(db, uuid)
  const [tunnel] = await toTunnels(ctx, row ? [row] : [], db)
  if (!tunnel) throw new Refusal('RESOURCE_NOT_FOUND')
  return tunnel
}

export async function addTunnel(ctx: Context, by: Actor, input: Input<typeof addTunnelCall>) {
  await refuseForbiddenSite(ctx, input.tunnelSite)
  return ctx.atomically(async (tx) => {
    if (input.tunnelIPV6) refuseForbiddenTarget(ctx, input.tunnelIPV6)
    await addHost(ctx, tx, by, 'tunnel', toRow(ctx, input))
    return getTunnel(ctx, input.tunnelUUID, tx)
  })
}

/** Moves a tunnel to another address, port or URL. A stored SSH password is not used at another address. */
export async function changeTunnel(ctx: Context, by: Actor, input: Input<typeof changeTunnelCall>) {
  await refuseForbiddenSite(ctx, input.tunnelSite)
  return ctx.atomically(async (tx) => {
    const { tunnelUUID: uuid, tunnelIPV4, basedOn } = input
    await holdMachine(tx, hostOf(uuid))
    const row = await findTunnel(tx, uuid)
    if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
    const before = {
      tunnelURL: row.url,
      tunnelPort: row.port,
      tunnelSite: row.site,
      tunnelSSHPort: row.ssh_port,
    }
    const after = {
      ...before,
      ...pickDefined(input, ['tunnelURL', 'tunnelPort', 'tunnelSite', 'tunnelSSHPort']),
    }
    requireAsSeen(basedOn, { tunnelIPV4: row.ipv4, ...before })
    const isElsewhere = row.ipv4 !== tunnelIPV4
    const { secrets, detail } = moveSecrets('tunnel', openSecrets(ctx, 'tunnel', row), input, isElsewhere)
    await moveHost(ctx, tx, by, hostOf(uuid), tunnelIPV4, {
      columns: {
        url: after.tunnelURL,
        port: after.tunnelPort,
        site: after.tunnelSite,
        ssh_port: after.tunnelSSHPort,
        ...(isElsewhere && { served_port: null, ipv6: '' }),
        secrets: sealSecrets(ctx, 'tunnel', uuid, secrets),
      },
      detail: { ...fromTo(before, after), ...detail },
      bringsAccess: hasSshSecret('tunnel', secretsIn('tunnel', input)),
    })
    return getTunnel(ctx, uuid, tx)
  })
}

export const setTunnelReady = (
  ctx: Context,
  by: Actor,
  { tunnelUUID, reason }: { tunnelUUID: string; reason: string },
) =>
  ctx.atomically(async (tx) => {
    await setHostReady(ctx, tx, by, hostOf(tunnelUUID), reason)
    return getTunnel(ctx, tunnelUUID, tx)
  })
