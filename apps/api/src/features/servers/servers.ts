import {
  type addServer as addServerCall,
  type changeServer as changeServerCall,
  type getServerMoveTargets as getServerMoveTargetsCall,
  type getServers as getServersCall,
  type Input,
  type Language,
  limits,
  Refusal,
  type ServerSort,
  type setServerPaused as setServerPausedCall,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { fromTo, requireAsSeen } from '../../lib/as-seen.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import type { By } from '../audit/audit.ts'
import { isControlPlaneName } from '../authority/authority.ts'
import { isCountry } from '../countries/countries.ts'
import { hostsInHealth, probesOf } from '../health/health.ts'
import {
  addHost,
  cancelRuns,
  type HostSort,
  holdHostToMove,
  moveHost,
  placesOf,
  requireFreeTlsName,
  setHostPaused,
  setHostReady,
  tlsNameOf,
} from '../hosts/hosts.ts'
import { closeSecrets, openSecrets, replaceSecrets, secretsThere, withoutPassword } from './server-secrets.ts'
import { toServer, toServerRow } from './server-shape.ts'
import * as store from './servers.store.ts'

export { openSecrets } from './server-secrets.ts'

const refuseUnknownCountry = (countryId: number) => {
  if (!isCountry(countryId)) throw new Refusal('INCOMPLETE_INFORMATION', {}, { countryId: 'country' })
}

const refuseControlPlaneName = (
  { config }: Context,
  { serverURL, serverSNIAddress }: Input<typeof addServerCall>,
) => {
  for (const name of [serverSNIAddress, tlsNameOf({ url: serverURL })])
    if (name && isControlPlaneName(config, name)) throw new Refusal('CONTROL_PLANE_NAME', { name })
}

type Change = Omit<Input<typeof changeServerCall>, 'client' | 'clientVersion' | 'lng'>

export const hostOf = (uuid: string) => ({ kind: 'server', uuid }) as const

const sorts: Record<ServerSort, HostSort> = {
  serverName: 'name',
  '-serverAccounts': '-accounts',
  '-serverCreatedDate': '-created_at',
}

export async function listServers(
  ctx: Context,
  {
    sort = '-serverCreatedDate',
    health,
    serverVPNType,
    serverTunnelType,
    ...query
  }: Input<typeof getServersCall>,
  lng: Language,
) {
  const among = health && (await hostsInHealth(ctx.db, 'server', health, ctx.clock.now()))
  const { rows, ...page } = await store.listServers(
    ctx.db,
    { vpn_type: serverVPNType, tunnel_type: serverTunnelType },
    { ...query, among, sort: sorts[sort] },
  )
  return { items: await toServers(ctx, rows, lng), ...page }
}

async function toServers(ctx: Context, rows: readonly store.ServerRecord[], lng: Language, db: Db = ctx.db) {
  const now = ctx.clock.now()
  const probes = await probesOf(
    db,
    rows.map(({ uuid }) => uuid),
  )
  return rows.map((row) => toServer(row, probes.get(row.uuid), lng, now))
}

export async function getServer(ctx: Context, uuid: string, lng: Language, db: Db = ctx.db) {
  const row = await store.findServer(db, uuid)
  const [server] = await toServers(ctx, row ? [row] : [], lng, db)
  if (!server) throw new Refusal('RESOURCE_NOT_FOUND')
  return server
}

export const addServer = (ctx: Context, by: By, input: Input<typeof addServerCall>, lng: Language) =>
  ctx.atomically(async (tx) => {
    const { serverUUID: uuid, serverIPV6, serverURL: url, serverSNIAddress: sni } = input
    refuseUnknownCountry(input.countryId)
    refuseControlPlaneName(ctx, input)
    if (serverIPV6) refuseForbiddenTarget(ctx, serverIPV6)
    if (await addHost(ctx, tx, by, 'server', toServerRow(ctx, input)))
      await requireFreeTlsName(tx, { uuid, url, sni, tunnelType: input.serverTunnelType })
    return getServer(ctx, uuid, lng, tx)
  })

/** To another address or country. A stored SSH password stays behind with the machine that it opens. */
export const changeServer = (ctx: Context, by: By, input: Change, lng: Language) =>
  ctx.atomically(async (tx) => {
    const { serverUUID: uuid, serverIPV4, countryId, basedOn } = input
    refuseUnknownCountry(countryId)
    await holdHostToMove(tx, hostOf(uuid))
    const row = await store.findServer(tx, uuid)
    if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
    requireAsSeen(basedOn, { serverIPV4: row.ipv4, countryId: row.country_id })
    const stored = openSecrets(ctx, row)
    const { secrets, names } = replaceSecrets(
      row.ipv4 === serverIPV4 ? stored : withoutPassword(stored),
      input,
    )
    const isForgotten = stored.serverSSHPassword !== '' && secrets.serverSSHPassword === ''
    await moveHost(ctx, tx, by, hostOf(uuid), serverIPV4, {
      columns: {
        country_id: countryId,
        details: JSON.stringify({ ...row.details, ...secretsThere(secrets) }),
        secrets: closeSecrets(ctx, uuid, secrets),
      },
      detail: {
        ...fromTo({ countryId: row.country_id }, { countryId }),
        ...(names.length > 0 && { replacedSecrets: names.join(' ') }),
        ...(isForgotten && { forgottenSecrets: 'serverSSHPassword' }),
      },
    })
    return getServer(ctx, uuid, lng, tx)
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

export const moveOf = (input: { serverUUID: string; toServerUUID: string }) => ({
  from: hostOf(input.serverUUID),
  to: hostOf(input.toServerUUID),
})

export async function listMoveTargets(
  ctx: Context,
  { serverUUID, search, limit = limits.pageMax }: Input<typeof getServerMoveTargetsCall>,
  lng: Language,
) {
  const source = await placesOf(ctx.db, hostOf(serverUUID))
  const rows = await store.listMoveTargets(ctx.db, source, { search, limit })
  return { items: await toServers(ctx, rows, lng) }
}

export const cancelServerRun = (
  ctx: Context,
  by: By,
  { serverUUID }: { serverUUID: string },
  lng: Language,
) =>
  ctx.atomically(async (tx) => {
    await cancelRuns(ctx, tx, by, hostOf(serverUUID))
    return getServer(ctx, serverUUID, lng, tx)
  })

export const setServerPaused = (
  ctx: Context,
  by: By,
  { serverUUID, serverPaused, basedOn }: Input<typeof setServerPausedCall>,
  lng: Language,
) =>
  ctx.atomically(async (tx) => {
    await setHostPaused(ctx, tx, by, hostOf(serverUUID), serverPaused, basedOn?.serverPaused)
    return getServer(ctx, serverUUID, lng, tx)
  })
