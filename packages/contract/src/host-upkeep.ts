import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, nothing, one, paging } from './call.ts'
import { serverHello } from './client-hello.ts'
import { seen, seenNumber, seenText } from './host-calls.ts'
import { serverAccess, serverQuota } from './servers.ts'
import { tunnelAccess, tunnelQuota } from './tunnels.ts'

const target = { hostUUID: adminRules.uuid }

export const runStates = ['queued', 'running', 'succeeded', 'failed', 'superseded', 'cancelled'] as const
export type RunState = (typeof runStates)[number]

/** `clean` cleans the machine that the host has left. */
export const runPurposes = ['set-up', 'clean'] as const
export type RunPurpose = (typeof runPurposes)[number]

export const run = z.object({
  runUUID: z.string(),
  runPurpose: z.enum(runPurposes),
  runState: z.enum(runStates),
  runQueuedDate: z.string(),
  runStartedDate: z.nullable(z.string()),
  runFinishedDate: z.nullable(z.string()),
  runAttempts: z.number(),
  runLines: z.number(),
  /** E-mail of the administrator who asked for it; '' if unknown. */
  runBy: z.string(),
})

export const getHostRuns = defineCall({
  path: '/api/v1/hosts/getruns',
  access: 'admin',
  summary: 'The runs of a host, newest first',
  input: { ...target, ...paging },
  output: list(run),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const cancelHostRun = defineCall({
  path: '/api/v1/hosts/cancel',
  access: 'admin',
  summary: 'Cancel the queued or running run',
  input: target,
  output: nothing,
  message: 'Run cancelled',
  refusals: ['RESOURCE_NOT_FOUND', 'NOTHING_RUNS'],
})

export const setHostPaused = defineCall({
  path: '/api/v1/hosts/setpaused',
  access: 'admin',
  summary: 'Stop or resume taking new accounts; existing accounts are not affected',
  input: {
    ...target,
    hostPaused: adminRules.boolean,
    basedOn: seen({ hostPaused: adminRules.boolean }),
  },
  output: nothing,
  message: 'Saved',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})

/** What hosts/edit changes of each kind, under the names that getserver and gettunnel use. */
export const hostEdits = {
  server: {
    serverName: z.optional(adminRules.safeName),
    serverMaxAccounts: z.optional(adminRules.maxAccounts),
    serverDescription: adminRules.optionalDescription,
    serverProvider: adminRules.optionalText,
    serverExpireDate: adminRules.optionalDate,
    serverLocation: adminRules.optionalText,
    serverTargetCountry: adminRules.optionalText,
    serverTargetOperator: adminRules.optionalText,
    serverFingerprint: z.optional(serverHello.serverFingerprint),
    serverAlpn: z.optional(serverHello.serverAlpn),
    serverIPV6: adminRules.optionalIpv6,
    serverVersion: z.optional(adminRules.version),
    serverVPNVersion: z.optional(adminRules.version),
    serverProtocol: adminRules.optionalText,
    serverConfigName: adminRules.optionalText,
    ...serverQuota,
    ...serverAccess,
    serverHostingName: adminRules.optionalText,
    serverHostingUsername: adminRules.optionalText,
    serverHostingPassword: adminRules.optionalSecret,
  },
  tunnel: {
    tunnelName: z.optional(adminRules.safeName),
    tunnelMaxAccounts: z.optional(adminRules.maxAccounts),
    tunnelCreatorEmail: z.optional(adminRules.email),
    tunnelIPV6: adminRules.optionalIpv6,
    tunnelVersion: z.optional(adminRules.version),
    ...tunnelQuota,
    ...tunnelAccess,
  },
} as const

export const editHost = defineCall({
  path: '/api/v1/hosts/edit',
  access: 'admin',
  summary:
    'Change what needs no provisioning. Fields that are left out stay; fields of the other kind of host are refused as unknown',
  input: {
    ...target,
    ...hostEdits.server,
    ...hostEdits.tunnel,
    basedOn: seen({
      serverName: seenText(),
      serverMaxAccounts: seenNumber(),
      serverSSHPort: seenNumber(),
      serverDescription: seenText(),
      serverProvider: seenText(),
      serverExpireDate: seenText(),
      serverLocation: seenText(),
      serverTargetCountry: seenText(),
      serverTargetOperator: seenText(),
      serverFingerprint: seenText(),
      serverAlpn: seenText(),
      serverIPV6: seenText(),
      serverVersion: seenText(),
      serverVPNVersion: seenText(),
      serverProtocol: seenText(),
      serverConfigName: seenText(),
      serverQuota: seenNumber(),
      serverQuotaDay: seenNumber(),
      tunnelName: seenText(),
      tunnelMaxAccounts: seenNumber(),
      tunnelSSHPort: seenNumber(),
      tunnelCreatorEmail: seenText(),
      tunnelIPV6: seenText(),
      tunnelVersion: seenText(),
      tunnelQuota: seenNumber(),
      tunnelQuotaDay: seenNumber(),
    }),
  },
  output: nothing,
  message: 'Saved',
  refusals: [
    'RESOURCE_NOT_FOUND',
    'CHANGED_MEANWHILE',
    'LIMIT_TOO_SMALL',
    'NO_CLIENT_HELLO',
    'FORBIDDEN_TARGET',
  ],
})

export const getHostMoveTargets = defineCall({
  path: '/api/v1/hosts/getmovetargets',
  access: 'admin',
  summary: 'Hosts that the accounts of a host can be moved to, most free places first',
  input: {
    ...target,
    search: z.optional(adminRules.search),
    limit: z.optional(adminRules.pageSize),
  },
  output: list(z.object({ hostUUID: z.string(), hostName: z.string(), room: z.number() })),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const moveRefusals = ['NOT_THE_SAME_KIND', 'HOST_NOT_READY', 'NO_ROOM', 'NO_WAY_THERE'] as const
export type MoveRefusal = (typeof moveRefusals)[number]

const moveQuote = z.object({
  accounts: z.number(),
  room: z.number(),
  fits: z.boolean(),
  refusal: z.nullable(z.enum(moveRefusals)),
  /** false: customers would get an exit in another country. */
  sameCountry: z.boolean(),
})

const move = { ...target, toHostUUID: adminRules.uuid }

export const quoteHostMove = defineCall({
  path: '/api/v1/hosts/quotemove',
  access: 'admin',
  summary: 'How many accounts would move, and whether they can',
  input: move,
  output: one(moveQuote),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const moveHostAccounts = defineCall({
  path: '/api/v1/hosts/moveaccounts',
  access: 'admin',
  summary:
    'Move all accounts to another host of the same kind, if their number is still the one that was quoted',
  input: { ...move, accounts: adminRules.maxAccounts },
  output: one(z.object({ accounts: z.number() })),
  message: 'Accounts moved',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE', ...moveRefusals],
  idempotent: true,
})

export const removeHost = defineCall({
  path: '/api/v1/hosts/remove',
  access: 'admin',
  summary: 'Remove a host that has no accounts, and cancel its runs',
  input: target,
  output: nothing,
  message: 'Removed',
  refusals: ['RESOURCE_NOT_FOUND', 'HOST_NOT_EMPTY'],
})
