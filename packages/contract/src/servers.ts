import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { beyondSpec } from './beyond-spec.ts'
import { defineCall, list, one, success } from './call.ts'
import { serverHello } from './client-hello.ts'
import { country } from './countries.ts'
import {
  addressRefusals,
  hostHealths,
  logCall,
  logInput,
  provisionCall,
  quotaMonth,
  seen,
  seenBoolean,
  seenNumber,
  seenText,
} from './host-calls.ts'
import { hostList } from './host-list.ts'
import { hostStates } from './hosts.ts'
import {
  fitsTunnel,
  hasReality,
  isQuic,
  serverTypes,
  tunnelTypes,
  usesTunnel,
  vpnCatalogue,
  vpnTypes,
} from './vpn-catalogue.ts'

export const targetProblems = ['UNREACHABLE', 'NO_TLS13', 'NO_H2', 'CERTIFICATE'] as const
export type TargetProblem = (typeof targetProblems)[number]

const listFields = {
  serverUUID: z.string(),
  serverType: z.enum(serverTypes),
  serverURL: z.string(),
}
const further = {
  serverName: z.string(),
  serverVersion: z.string(),
  serverVPNType: z.enum(vpnTypes),
  serverVPNVersion: z.string(),
  serverIPV4: z.string(),
  serverIPV6: z.string(),
  serverPort: z.number(),
  serverMaxAccounts: z.number(),
  serverAccounts: z.number(),
  serverTunnelActive: z.boolean(),
  serverTunnelType: z.enum([...tunnelTypes, '']),
  serverProtocol: z.string(),
  serverExpireDate: z.string(),
  serverLocation: z.string(),
  serverDescription: z.string(),
  serverProvider: z.string(),
  serverTargetCountry: z.string(),
  serverTargetOperator: z.string(),
  serverSNIAddress: z.string(),
  serverConfigName: z.string(),
  ...serverHello,
  serverRealityTarget: z.string(),
  serverSite: z.string(),
  /** What links carry; null without REALITY. */
  serverReality: z.nullable(
    z.object({ publicKey: z.string(), shortId: z.string(), changedDate: z.nullable(z.string()) }),
  ),
  /** What the regular check finds at that site; null while it is right. */
  serverTargetTrouble: z.nullable(
    z.object({ targetProblems: z.array(z.enum(targetProblems)), sinceDate: z.string() }),
  ),
  serverObfuscated: z.boolean(),
  serverHopPorts: z.string(),
  /** GB that the provider lets the machine carry in a month; 0: none. */
  serverQuota: z.number(),
  serverQuotaDay: z.number(),
  serverQuotaMonth: quotaMonth,
  serverHasConfigJson: z.boolean(),
  serverSSHPort: z.number(),
  serverHasSSHSecret: z.boolean(),
  serverHasHostingSecret: z.boolean(),
  serverState: z.enum(hostStates),
  serverPaused: z.boolean(),
  serverHealth: z.enum(hostHealths),
  serverLastSeenDate: z.nullable(z.string()),
  serverCreatedDate: z.string(),
  country,
}

export const server = z.object({ ...listFields, ...further })

export const serverSorts = ['serverName', '-serverAccounts', '-serverCreatedDate'] as const
export type ServerSort = (typeof serverSorts)[number]

const target = { serverUUID: adminRules.uuid }

export const getServers = defineCall({
  path: '/api/v1/servers/getservers',
  access: 'admin',
  summary: 'The servers; all of them unless a limit is given',
  input: {
    ...hostList(serverSorts),
    serverVPNType: z.optional(z.enum(vpnTypes, 'choice')),
    serverTunnelType: z.optional(z.enum([...tunnelTypes, ''], 'choice')),
  },
  output: list(z.object({ ...listFields, ...beyondSpec(further) })),
})

export const getServer = defineCall({
  path: '/api/v1/servers/getserver',
  access: 'admin',
  summary: 'One server with its state, health and load',
  input: target,
  output: one(server),
  refusals: ['RESOURCE_NOT_FOUND'],
})

/** spec.md sends these empty; also the defaults for omitted fields. */
export const serverDefaults = {
  serverProtocol: '',
  serverExpireDate: '',
  serverIPV6: '',
  serverSSHUsername: '',
  serverSSHPassword: '',
  serverSSHKey: '',
  serverLocation: '',
  serverDescription: '',
  serverProvider: '',
  serverHostingName: '',
  serverHostingUsername: '',
  serverHostingPassword: '',
  serverTargetCountry: '',
  serverTargetOperator: '',
  serverSNIAddress: '',
  serverConfigName: '',
  serverConfigJson: '{}',
}

/** Beyond spec.md: without them the product's own key is used, as root, at port 22. All but the port are write-only. */
export const serverAccess = {
  serverSSHPort: z.optional(adminRules.port),
  serverSSHUsername: adminRules.optionalSshUser,
  serverSSHPassword: adminRules.optionalSecret,
  serverSSHKey: adminRules.optionalKey,
  /** The first run replaces the password with the product's key. */
  serverReplacePassword: z.optional(adminRules.boolean),
}

/** Beyond spec.md, for servers over QUIC. Apps need new links if `serverObfuscated` changes. */
const quicOptions = {
  serverObfuscated: z.optional(adminRules.boolean),
  /** Apps change among these ports while they are connected. */
  serverHopPorts: adminRules.optionalPortRange,
}

/** Beyond spec.md: what the provider lets the machine carry each month, and the day on which its month begins. */
export const serverQuota = {
  serverQuota: z.optional(adminRules.quota),
  serverQuotaDay: z.optional(adminRules.quotaDay),
}

const nameRefusals = ['TLS_NAME_TAKEN', 'CONTROL_PLANE_NAME'] as const

export const addServer = defineCall({
  path: '/api/v1/servers/add',
  access: 'admin',
  summary: 'Add a server and queue its provisioning; the same serverUUID again changes nothing',
  input: {
    serverName: adminRules.safeName,
    serverType: adminRules.serverType,
    serverUUID: adminRules.uuidV4,
    serverVersion: adminRules.version,
    serverVPNType: adminRules.vpnType,
    serverVPNVersion: adminRules.version,
    serverIPV4: adminRules.ipv4,
    serverURL: adminRules.url,
    serverPort: adminRules.port,
    serverMaxAccounts: adminRules.maxAccounts,
    serverTunnelActive: adminRules.boolean,
    serverTunnelType: adminRules.tunnelTypeOrNone,
    countryId: adminRules.countryId,
    serverProtocol: adminRules.optionalText,
    serverExpireDate: adminRules.optionalDate,
    serverIPV6: adminRules.optionalIpv6,
    ...serverAccess,
    serverLocation: adminRules.optionalText,
    serverDescription: adminRules.optionalDescription,
    serverProvider: adminRules.optionalText,
    serverHostingName: adminRules.optionalText,
    serverHostingUsername: adminRules.optionalText,
    serverHostingPassword: adminRules.optionalSecret,
    serverTargetCountry: adminRules.optionalText,
    serverTargetOperator: adminRules.optionalText,
    serverSNIAddress: adminRules.optionalHost,
    serverConfigName: adminRules.optionalText,
    serverConfigJson: adminRules.configJson,
    serverFingerprint: z.optional(serverHello.serverFingerprint),
    serverAlpn: z.optional(serverHello.serverAlpn),
    serverRealityTarget: adminRules.optionalHost,
    serverSite: adminRules.optionalHost,
    ...quicOptions,
    ...serverQuota,
  },
  check: ({ value, issues }) => {
    const refuse = (field: string, rule: string) =>
      issues.push({ code: 'custom', path: [field], message: rule, input: value })
    if (vpnCatalogue[value.serverVPNType].serverType !== value.serverType) refuse('serverVPNType', 'vpnType')
    if (!fitsTunnel(value.serverVPNType, value.serverTunnelType)) refuse('serverTunnelType', 'tunnelType')
    if (value.serverRealityTarget && !hasReality(value.serverVPNType))
      refuse('serverRealityTarget', 'vpnType')
    // With REALITY strangers reach another site itself.
    if (value.serverSite && hasReality(value.serverVPNType)) refuse('serverSite', 'vpnType')
    for (const option of ['serverObfuscated', 'serverHopPorts'] as const)
      if (value[option] && !isQuic(value.serverVPNType)) refuse(option, 'vpnType')
    if (value.serverTunnelActive !== usesTunnel(value.serverVPNType, value.serverTunnelType))
      refuse('serverTunnelActive', 'tunnelType')
  },
  output: success(server),
  message: 'Server added',
  refusals: [...addressRefusals, 'UUID_TAKEN', ...nameRefusals, 'CONFIG_NOT_ALLOWED', 'NO_CLIENT_HELLO'],
})

export const changeServer = defineCall({
  path: '/api/v1/servers/change',
  access: 'admin',
  summary:
    'Move a server to another address, country, port or name, or replace its additional configuration; it is provisioned again, and a stored SSH password is not used at another address',
  input: {
    ...target,
    serverIPV4: adminRules.ipv4,
    countryId: adminRules.countryId,
    serverURL: z.optional(adminRules.url),
    serverPort: z.optional(adminRules.port),
    serverSNIAddress: adminRules.optionalHost,
    serverRealityTarget: adminRules.optionalHost,
    /** A site that the host fetches for strangers, by HTTPS; '' for its own. */
    serverSite: adminRules.optionalHost,
    ...quicOptions,
    serverConfigJson: adminRules.configJson,
    ...serverAccess,
    basedOn: seen({
      serverIPV4: seenText(),
      countryId: seenNumber(),
      serverURL: seenText(),
      serverPort: seenNumber(),
      serverSNIAddress: seenText(),
      serverRealityTarget: seenText(),
      serverSite: seenText(),
      serverObfuscated: seenBoolean(),
      serverHopPorts: seenText(),
    }),
  },
  output: success(server),
  message: 'Server changed',
  refusals: [
    'RESOURCE_NOT_FOUND',
    ...addressRefusals,
    ...nameRefusals,
    'INVALID_IPV4',
    'CHANGED_MEANWHILE',
    'CONFIG_NOT_ALLOWED',
    'NO_REALITY',
    'NO_QUIC',
  ],
  invalid: { serverIPV4: 'INVALID_IPV4' },
})

export const newRealityKeys = defineCall({
  path: '/api/v1/servers/newrealitykeys',
  access: 'admin',
  summary:
    'New keys for a server with REALITY. All subscriptions follow, and the keys before work for 30 more days; customers reconnect once',
  input: target,
  output: one(server),
  message: 'The new keys are being installed',
  refusals: ['RESOURCE_NOT_FOUND', 'NO_REALITY', 'KEYS_CHANGING'],
})

export const checkRealityTarget = defineCall({
  path: '/api/v1/servers/checkrealitytarget',
  access: 'admin',
  summary:
    'Whether a site can be what a server with REALITY shows strangers, seen from this installation, and which servers show it already',
  input: {
    serverRealityTarget: adminRules.host,
    serverSNIAddress: adminRules.optionalHost,
    /** Of the server that is changed: it does not count as one that shows the site already. */
    serverUUID: z.optional(adminRules.uuid),
  },
  output: one(z.object({ targetProblems: z.array(z.enum(targetProblems)), usedBy: z.array(z.string()) })),
  refusals: ['FORBIDDEN_TARGET'],
})

export const provisionServer = defineCall({
  ...provisionCall,
  path: '/api/v1/servers/provision',
  input: target,
})

export const setServerReady = defineCall({
  path: '/api/v1/servers/setready',
  access: 'admin',
  summary: 'Mark a server that was set up by hand as ready',
  input: { ...target, reason: adminRules.reason },
  output: one(server),
  message: 'Server marked as ready',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const getServerLog = defineCall({
  ...logCall,
  path: '/api/v1/servers/getansiblelog',
  input: { ...target, ...logInput },
})
