import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, success } from './call.ts'
import {
  addressRefusals,
  hostHealths,
  logCall,
  logInput,
  provisionCall,
  quotaMonth,
  seen,
  seenNumber,
  seenText,
} from './host-calls.ts'
import { hostList } from './host-list.ts'
import { hostStates } from './hosts.ts'
import { tunnelTypes } from './vpn-catalogue.ts'

export const tunnel = z.object({
  tunnelUUID: z.string(),
  tunnelName: z.string(),
  tunnelVersion: z.string(),
  tunnelType: z.enum(tunnelTypes),
  tunnelCreatorEmail: z.string(),
  tunnelIPV4: z.string(),
  tunnelIPV6: z.string(),
  tunnelURL: z.string(),
  tunnelSite: z.string(),
  tunnelPort: z.number(),
  tunnelMaxAccounts: z.number(),
  tunnelQuota: z.number(),
  tunnelQuotaDay: z.number(),
  tunnelQuotaMonth: quotaMonth,
  tunnelAccounts: z.number(),
  tunnelSSHPort: z.number(),
  tunnelHasSSHSecret: z.boolean(),
  tunnelState: z.enum(hostStates),
  tunnelPaused: z.boolean(),
  tunnelHealth: z.enum(hostHealths),
  tunnelLastSeenDate: z.nullable(z.string()),
  tunnelCreatedDate: z.string(),
})

export const tunnelSorts = ['tunnelName', '-tunnelAccounts', '-tunnelCreatedDate'] as const
export type TunnelSort = (typeof tunnelSorts)[number]

const target = { tunnelUUID: adminRules.uuid }

export const getTunnels = defineCall({
  path: '/api/v1/tunnels/gettunnels',
  access: 'admin',
  summary: 'The tunnels; all of them unless a limit is given',
  input: { ...hostList(tunnelSorts), tunnelType: z.optional(z.enum(tunnelTypes, 'choice')) },
  output: list(tunnel),
})

export const getTunnel = defineCall({
  path: '/api/v1/tunnels/gettunnel',
  access: 'admin',
  summary: 'One tunnel with its state, health and load',
  input: target,
  output: one(tunnel),
  refusals: ['RESOURCE_NOT_FOUND'],
})

/** Beyond spec.md: without them the product's own key is used, as root, at port 22. All but the port are write-only. */
export const tunnelAccess = {
  tunnelSSHPort: z.optional(adminRules.port),
  tunnelSSHUsername: adminRules.optionalSshUser,
  tunnelSSHPassword: adminRules.optionalSecret,
  tunnelSSHKey: adminRules.optionalKey,
  /** The first run replaces the password with the product's key. */
  tunnelReplacePassword: z.optional(adminRules.boolean),
}

/** As of servers. */
export const tunnelQuota = {
  tunnelQuota: z.optional(adminRules.quota),
  tunnelQuotaDay: z.optional(adminRules.quotaDay),
}

export const addTunnel = defineCall({
  path: '/api/v1/tunnels/add',
  access: 'admin',
  summary: 'Add a tunnel and queue its provisioning; the same tunnelUUID again changes nothing',
  input: {
    tunnelName: adminRules.safeName,
    tunnelUUID: adminRules.uuidV4,
    tunnelVersion: adminRules.version,
    tunnelType: adminRules.tunnelType,
    tunnelCreatorEmail: adminRules.email,
    tunnelIPV4: adminRules.ipv4,
    tunnelURL: adminRules.url,
    tunnelPort: adminRules.port,
    tunnelMaxAccounts: adminRules.maxAccounts,
    tunnelIPV6: adminRules.optionalIpv6,
    tunnelSite: adminRules.optionalHost,
    ...tunnelQuota,
    ...tunnelAccess,
  },
  output: success(tunnel),
  message: 'Tunnel added',
  refusals: [...addressRefusals, 'UUID_TAKEN'],
})

export const changeTunnel = defineCall({
  path: '/api/v1/tunnels/change',
  access: 'admin',
  summary:
    'Move a tunnel to another address, port or URL; it is provisioned again, and a stored SSH password is not used at another address',
  input: {
    ...target,
    tunnelIPV4: adminRules.ipv4,
    tunnelURL: z.optional(adminRules.url),
    tunnelPort: z.optional(adminRules.port),
    /** A site that the host fetches for strangers, by HTTPS; '' for its own. */
    tunnelSite: adminRules.optionalHost,
    ...tunnelAccess,
    basedOn: seen({
      tunnelIPV4: seenText(),
      tunnelURL: seenText(),
      tunnelPort: seenNumber(),
      tunnelSite: seenText(),
    }),
  },
  output: success(tunnel),
  message: 'Tunnel changed',
  refusals: ['RESOURCE_NOT_FOUND', ...addressRefusals, 'INVALID_IPV4', 'CHANGED_MEANWHILE'],
  invalid: { tunnelIPV4: 'INVALID_IPV4' },
})

export const provisionTunnel = defineCall({
  ...provisionCall,
  path: '/api/v1/tunnels/provision',
  input: target,
})

export const setTunnelReady = defineCall({
  path: '/api/v1/tunnels/setready',
  access: 'admin',
  summary: 'Mark a tunnel that was set up by hand as ready',
  input: { ...target, reason: adminRules.reason },
  output: one(tunnel),
  message: 'Tunnel marked as ready',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const getTunnelLog = defineCall({
  ...logCall,
  path: '/api/v1/tunnels/getansiblelog',
  input: { ...target, ...logInput },
})
