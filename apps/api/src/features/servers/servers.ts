import {
  type addServer as addServerCall,
  type changeServer as changeServerCall,
  type getServers as getServersCall,
  hasReality,
  type Input,
  isQuic,
  type Language,
  Refusal,
  type ServerSort,
} from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { fromTo, requireAsSeen } from '../../lib/as-seen.ts'
import { refuseForbiddenSite, refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { pickDefined } from '../../lib/given.ts'
import type { Actor } from '../audit/audit.ts'
import { isControlPlaneName } from '../authority/authority.ts'
import { isCountry } from '../countries/countries.ts'
import { hostsInHealth, probesOf } from '../health/health.ts'
import { refuseNoHello } from '../hosts/edit.ts'
import { readExtraConfig } from '../hosts/extra-config.ts'
import { addHost, findServer, type HostSort, moveHost, type ServerRecord } from '../hosts/hosts.ts'
import { holdMachine } from '../hosts/machine.ts'
import { requireFreeTlsName } from '../hosts/occupancy.ts'
import { quotaMonthsOf } from '../hosts/quotas.ts'
import { setHostReady } from '../hosts/runs.ts'
import {
  hasSshSecret,
  moveSecrets,
  openSecrets,
  sealSecrets,
  secretsIn,
  serverSecretFlags,
} from '../hosts/secrets.ts'
import { tlsNameOf } from '../hosts/tls-name.ts'
import { toServer, toServerRow } from './server-shape.ts'
import * as store from './servers.store.ts'
import { type FailingTarget, failingTargets } from './target-checks.store.ts'

const refuseUnknownCountry = (countryId: number) => {
  if (!isCountry(countryId)) throw new Refusal('INCOMPLETE_INFORMATION', {}, { countryId: 'country' })
}

const refuseControlPlaneName = (
  { config }: Context,
  { serverURL, serverSNIAddress }: Pick<Input<typeof addServerCall>, 'serverURL' | 'serverSNIAddress'>,
) => {
  for (const name of [serverSNIAddress, tlsNameOf({ url: serverURL })])
    if (name && isControlPlaneName(config, name)) throw new Refusal('CONTROL_PLANE_NAME', { name })
}

const changeable = [
  'countryId',
  'serverURL',
  'serverPort',
  'serverSSHPort',
  'serverSNIAddress',
  'serverRealityTarget',
  'serverSite',
  'serverObfuscated',
  'serverHopPorts',
] as const

/** Customers name a site that the target has a certificate for: by default the target itself. */
const withSni = <Names extends { serverSNIAddress: string; serverRealityTarget: string }>(
  before: Names,
  after: Names,
): Names =>
  ['', before.serverRealityTarget].includes(after.serverSNIAddress)
    ? { ...after, serverSNIAddress: after.serverRealityTarget }
    : after

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

/** One failed check may be a packet that was lost. */
export const failuresForTrouble = 2

const toTrouble = ({ problems, since }: FailingTarget) => ({
  targetProblems: problems,
  sinceDate: since.toISOString(),
})

export const targetTroubles = async (db: Db) =>
  (await failingTargets(db, failuresForTrouble)).map((one) => ({
    ...{ uuid: one.uuid, name: one.name, target: one.target },
    ...toTrouble(one),
  }))

async function toServers(ctx: Context, rows: readonly ServerRecord[], lng: Language, db: Db = ctx.db) {
  const now = ctx.clock.now()
  const uuids = rows.map(({ uuid }) => uuid)
  const probes = await probesOf(db, uuids)
  const troubles = new Map(
    (await failingTargets(db, failuresForTrouble, uuids)).map((one) => [one.uuid, toTrouble(one)]),
  )
  const quotaMonthOf = await quotaMonthsOf(db, rows, now)
  return rows.map((row) => ({
    ...toServer(row, probes.get(row.uuid), lng, now),
    serverQuotaMonth: quotaMonthOf(row),
    serverTargetTrouble: troubles.get(row.uuid) ?? null,
  }))
}

export async function getServer(ctx: Context, uuid: string, lng: Language, db: Db = ctx.db) {
  const row = await findServer(db, uuid)
  const [server] = await toServers(ctx, row ? [row] : [], lng, db)
  if (!server) throw new Refusal('RESOURCE_NOT_FOUND')
  return server
}

export async function addServer(ctx: Context, by: Actor, input: Input<typeof addServerCall>, lng: Language) {
  await refuseForbiddenSite(ctx, input.serverSite)
  return ctx.atomically(async (tx) => {
    const { serverUUID: uuid, serverIPV6, serverURL: url } = input
    const sni = input.serverSNIAddress || input.serverRealityTarget
    refuseUnknownCountry(input.countryId)
    refuseControlPlaneName(ctx, { serverURL: url, serverSNIAddress: sni })
    refuseNoHello(input.serverVPNType, input)
    readExtraConfig(input.serverConfigJson ?? '')
    if (serverIPV6) refuseForbiddenTarget(ctx, serverIPV6)
    if (await addHost(ctx, tx, by, 'server', toServerRow(ctx, input)))
      await requireFreeTlsName(tx, { uuid, url, sni, tunnelType: input.serverTunnelType })
    return getServer(ctx, uuid, lng, tx)
  })
}

/**
 * Moves a server to another address, country, port or name, and provisions it again. A stored SSH password is not used
 * at another address.
 */
export async function changeServer(ctx: Context, by: Actor, input: Change, lng: Language) {
  await refuseForbiddenSite(ctx, input.serverSite)
  return ctx.atomically(async (tx) => {
    const { serverUUID: uuid, serverIPV4, countryId, basedOn } = input
    refuseUnknownCountry(countryId)
    await holdMachine(tx, hostOf(uuid))
    const row = await findServer(tx, uuid)
    if (!row) throw new Refusal('RESOURCE_NOT_FOUND')
    const before = {
      countryId: row.country_id,
      serverURL: row.url,
      serverPort: row.port,
      serverSSHPort: row.ssh_port,
      serverSNIAddress: row.details.serverSNIAddress,
      serverRealityTarget: row.details.serverRealityTarget ?? '',
      serverSite: row.details.serverSite ?? '',
      serverObfuscated: row.details.serverObfuscated ?? false,
      serverHopPorts: row.details.serverHopPorts ?? '',
    }
    if (input.serverRealityTarget && !hasReality(row.vpn_type))
      throw new Refusal('NO_REALITY', { vpnType: row.vpn_type })
    if (input.serverSite && hasReality(row.vpn_type))
      throw new Refusal('INCOMPLETE_INFORMATION', {}, { serverSite: 'vpnType' })
    if ((input.serverObfuscated || input.serverHopPorts) && !isQuic(row.vpn_type))
      throw new Refusal('NO_QUIC', { vpnType: row.vpn_type })
    const after = withSni(before, { ...before, ...pickDefined(input, changeable) })
    requireAsSeen(basedOn, { serverIPV4: row.ipv4, ...before })
    const isElsewhere = row.ipv4 !== serverIPV4
    if (input.serverConfigJson !== undefined) readExtraConfig(input.serverConfigJson)
    const { serverURL: url, serverPort: port, serverSNIAddress: sni } = after
    if (url !== row.url || sni !== before.serverSNIAddress) {
      refuseControlPlaneName(ctx, after)
      await requireFreeTlsName(tx, { uuid, url, sni, tunnelType: row.tunnel_type })
    }
    const { secrets, detail } = moveSecrets('server', openSecrets(ctx, 'server', row), input, isElsewhere)
    await moveHost(ctx, tx, by, hostOf(uuid), serverIPV4, {
      columns: {
        country_id: countryId,
        url,
        port,
        ssh_port: after.serverSSHPort,
        details: JSON.stringify({
          ...row.details,
          serverSNIAddress: sni,
          serverRealityTarget: after.serverRealityTarget,
          serverSite: after.serverSite,
          serverObfuscated: after.serverObfuscated,
          serverHopPorts: after.serverHopPorts,
          // The other machine has another one.
          ...(isElsewhere && { serverIPV6: '' }),
          ...serverSecretFlags(secrets),
        }),
        secrets: sealSecrets(ctx, 'server', uuid, secrets),
      },
      detail: { ...fromTo(before, after), ...detail },
      bringsAccess: hasSshSecret('server', secretsIn('server', input)),
    })
    return getServer(ctx, uuid, lng, tx)
  })
}

export const setServerReady = (
  ctx: Context,
  by: Actor,
  { serverUUID, reason }: { serverUUID: string; reason: string },
  lng: Language,
) =>
  ctx.atomically(async (tx) => {
    await setHostReady(ctx, tx, by, hostOf(serverUUID), reason)
    return getServer(ctx, serverUUID, lng, tx)
  })
