import {
  type editHost as editHostCall,
  type HostKind,
  hasAlpn,
  hasHello,
  hostEdits,
  type Input,
  Refusal,
  type VpnType,
} from '@kelid/contract'
import type { Context } from '../../context.ts'
import { fromTo, requireAsSeen } from '../../lib/as-seen.ts'
import { refuseForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { pickDefined } from '../../lib/given.ts'
import { type Actor, record } from '../audit/audit.ts'
import { announceAccountsOf } from '../events/events.ts'
import * as store from './hosts.store.ts'
import { actionOf, announceHost, type Host, holdHost } from './kinds.ts'
import { holdMachine, shareAccess } from './machine.ts'
import { shareQuota } from './quotas.ts'
import { openSecrets, replaceSecrets, type Secrets, sealSecrets, serverSecretFlags } from './secrets.ts'

type Edit = Input<typeof editHostCall>

const detailNames = [
  'serverDescription',
  'serverProvider',
  'serverExpireDate',
  'serverLocation',
  'serverTargetCountry',
  'serverTargetOperator',
  'serverFingerprint',
  'serverAlpn',
  'serverIPV6',
  'serverVersion',
  'serverVPNVersion',
  'serverProtocol',
  'serverConfigName',
] as const

export function refuseNoHello(vpnType: VpnType, { serverFingerprint, serverAlpn }: Partial<Edit>): void {
  if ((serverFingerprint && !hasHello(vpnType)) || (serverAlpn && !hasAlpn(vpnType)))
    throw new Refusal('NO_CLIENT_HELLO', { vpnType })
}

function editedServer(row: store.ServerRecord, input: Edit, secrets: Secrets) {
  const before = {
    serverName: row.name,
    serverMaxAccounts: row.max_accounts,
    serverSSHPort: row.ssh_port,
    serverQuota: row.quota,
    serverQuotaDay: row.quota_day,
    ...pickDefined(row.details, detailNames),
  }
  const after = {
    ...before,
    ...pickDefined(input, [
      'serverName',
      'serverMaxAccounts',
      'serverSSHPort',
      'serverQuota',
      'serverQuotaDay',
      ...detailNames,
    ]),
  }
  const {
    serverName: name,
    serverMaxAccounts: max_accounts,
    serverSSHPort: ssh_port,
    serverQuota: quota,
    serverQuotaDay: quota_day,
    ...details
  } = after
  const columns = {
    name,
    max_accounts,
    ssh_port,
    quota,
    quota_day,
    details: JSON.stringify({ ...row.details, ...details, ...serverSecretFlags(secrets) }),
  }
  return { before, after, columns }
}

function editedTunnel(row: store.TunnelRecord, input: Edit) {
  const before = {
    tunnelName: row.name,
    tunnelMaxAccounts: row.max_accounts,
    tunnelSSHPort: row.ssh_port,
    tunnelCreatorEmail: row.creator_email,
    tunnelIPV6: row.ipv6,
    tunnelVersion: row.version,
    tunnelQuota: row.quota,
    tunnelQuotaDay: row.quota_day,
  }
  const after = {
    ...before,
    ...pickDefined(input, [
      'tunnelName',
      'tunnelMaxAccounts',
      'tunnelSSHPort',
      'tunnelIPV6',
      'tunnelCreatorEmail',
      'tunnelVersion',
      'tunnelQuota',
      'tunnelQuotaDay',
    ]),
  }
  const columns = {
    name: after.tunnelName,
    max_accounts: after.tunnelMaxAccounts,
    ssh_port: after.tunnelSSHPort,
    creator_email: after.tunnelCreatorEmail,
    ipv6: after.tunnelIPV6,
    version: after.tunnelVersion,
    quota: after.tunnelQuota,
    quota_day: after.tunnelQuotaDay,
  }
  return { before, after, columns }
}

/** The contract accepts the fields of both kinds, because it cannot know the kind of a host. */
function refuseFieldsOf(kind: HostKind, { basedOn = {}, ...input }: Edit): void {
  for (const name of Object.keys(hostEdits[kind])) {
    if (name in input) throw new Refusal('UNKNOWN_FIELD', { field: name })
    if (name in basedOn) throw new Refusal('UNKNOWN_FIELD', { field: `basedOn.${name}` })
  }
}

const linkFields = ['serverFingerprint', 'serverAlpn', 'serverIPV6', 'tunnelIPV6'] as const

/** The access belongs to the machine, and so to all its services. */
const changesAccess = (input: Edit): boolean =>
  Object.keys(input).some((name) => /^(?:server|tunnel)(?:SSH|ReplacePassword)/.test(name))

/** So does the quota of its provider. */
const changesQuota = (input: Edit): boolean =>
  Object.keys(input).some((name) => /^(?:server|tunnel)Quota/.test(name))

/** Saves what needs no provisioning. The audit log gets the changed values, but only the names of secrets. */
export const editHost = (ctx: Context, by: Actor, host: Host, input: Edit): Promise<void> =>
  ctx.atomically(async (tx) => {
    const { kind, uuid } = host
    refuseFieldsOf(kind === 'server' ? 'tunnel' : 'server', input)
    const { accounts, state } = await (changesAccess(input) || changesQuota(input)
      ? holdMachine(tx, host)
      : holdHost(tx, host))
    const subject = await store.readRow(tx, kind, uuid)
    const { secrets, detail } = replaceSecrets(kind, openSecrets(ctx, kind, subject.row), input)
    const { before, after, columns } =
      subject.kind === 'server' ? editedServer(subject.row, input, secrets) : editedTunnel(subject.row, input)
    if (subject.kind === 'server') refuseNoHello(subject.row.vpn_type, input)
    for (const ipv6 of [input.serverIPV6, input.tunnelIPV6]) if (ipv6) refuseForbiddenTarget(ctx, ipv6)
    requireAsSeen(input.basedOn, before)
    const changes = { ...fromTo(before, after), ...detail }
    if (Object.keys(changes).length === 0) return
    if (columns.max_accounts < accounts) throw new Refusal('LIMIT_TOO_SMALL', { accounts })
    const secretColumns = 'replacedSecrets' in detail && { secrets: sealSecrets(ctx, kind, uuid, secrets) }
    await store.updateHost(tx, kind, uuid, { ...columns, ...secretColumns })
    if (changesAccess(input)) await shareAccess(ctx, tx, host)
    if (changesQuota(input)) await shareQuota(ctx, tx, host)
    await announceHost(ctx, tx, host, state)
    if (linkFields.some((name) => `to.${name}` in changes)) await announceAccountsOf(ctx, tx, kind, uuid)
    await record(ctx, tx, by, actionOf(kind, 'edit'), uuid, changes)
  })
