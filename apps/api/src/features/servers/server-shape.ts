import { type addServer, hasReality, type Input, type Language, serverDefaults } from '@kelid/contract'
import type { Context } from '../../context.ts'
import type { ServerDetails } from '../../db/schema.ts'
import { countryOf } from '../countries/countries.ts'
import { type Probe, tellHealth } from '../health/health.ts'
import type { ServerRecord } from '../hosts/hosts.ts'
import { newRealityColumns } from '../hosts/reality.ts'
import { defaultSshPort, sealSecrets, secretsIn, serverSecretFlags } from '../hosts/secrets.ts'

type ServerInput = Input<typeof addServer>
type NewServer = Omit<ServerInput, keyof typeof serverDefaults> & typeof serverDefaults

const detailsOf = (input: NewServer): ServerDetails => ({
  serverVersion: input.serverVersion,
  serverVPNVersion: input.serverVPNVersion,
  serverProtocol: input.serverProtocol,
  serverExpireDate: input.serverExpireDate,
  serverIPV6: input.serverIPV6,
  serverLocation: input.serverLocation,
  serverDescription: input.serverDescription,
  serverProvider: input.serverProvider,
  serverTargetCountry: input.serverTargetCountry,
  serverTargetOperator: input.serverTargetOperator,
  // Customers have to name a site that the target has a certificate for.
  serverSNIAddress: input.serverSNIAddress || (input.serverRealityTarget ?? ''),
  serverConfigName: input.serverConfigName,
  serverFingerprint: input.serverFingerprint ?? '',
  serverAlpn: input.serverAlpn ?? '',
  serverRealityTarget: input.serverRealityTarget ?? '',
  serverSite: input.serverSite ?? '',
  serverObfuscated: input.serverObfuscated ?? false,
  serverHopPorts: input.serverHopPorts ?? '',
  ...serverSecretFlags(secretsIn('server', input)),
})

export function toServerRow(ctx: Context, body: ServerInput) {
  const input = { ...serverDefaults, ...body } as NewServer
  const { client: _, clientVersion: __, lng: ___, ...request } = input
  const uuid = input.serverUUID
  return {
    uuid,
    request_hash: ctx.seal.fingerprint('server', JSON.stringify(request)),
    name: input.serverName,
    type: input.serverType,
    vpn_type: input.serverVPNType,
    tunnel_type: input.serverTunnelType,
    ipv4: input.serverIPV4,
    url: input.serverURL,
    port: input.serverPort,
    ssh_port: input.serverSSHPort ?? defaultSshPort,
    max_accounts: input.serverMaxAccounts,
    quota: input.serverQuota ?? 0,
    quota_day: input.serverQuotaDay ?? 1,
    country_id: input.countryId,
    details: JSON.stringify(detailsOf(input)),
    secrets: sealSecrets(ctx, 'server', uuid, secretsIn('server', body)),
    ...(hasReality(input.serverVPNType) && newRealityColumns(ctx, uuid)),
    state: 'queued' as const,
    last_seen_at: null,
    created_at: ctx.clock.now(),
  }
}

export function toServer(row: ServerRecord, probe: Probe | undefined, lng: Language, now: Date) {
  return {
    ...row.details,
    serverRealityTarget: row.details.serverRealityTarget ?? '',
    serverSite: row.details.serverSite ?? '',
    serverObfuscated: row.details.serverObfuscated ?? false,
    serverHopPorts: row.details.serverHopPorts ?? '',
    serverReality: row.reality && {
      ...row.reality,
      changedDate: row.reality_changed_at?.toISOString() ?? null,
    },
    serverUUID: row.uuid,
    serverName: row.name,
    serverType: row.type,
    serverVPNType: row.vpn_type,
    serverIPV4: row.ipv4,
    serverURL: row.url,
    serverPort: row.port,
    serverSSHPort: row.ssh_port,
    serverMaxAccounts: row.max_accounts,
    serverQuota: row.quota,
    serverQuotaDay: row.quota_day,
    serverAccounts: row.accounts,
    serverTunnelActive: row.tunnel_type !== '',
    serverTunnelType: row.tunnel_type,
    serverState: row.state,
    serverPaused: row.paused,
    serverHealth: tellHealth(row, probe, now).health,
    serverLastSeenDate: row.last_seen_at?.toISOString() ?? null,
    serverCreatedDate: row.created_at.toISOString(),
    country: countryOf(row.country_id, lng),
  }
}
