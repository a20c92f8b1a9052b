import * as z from 'zod/mini'
import { accountFilters, accountSorts, accountTarget, anyAccount } from './accounts.ts'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, nothing, one, paging } from './call.ts'
import { seen } from './host-calls.ts'
import { rules } from './rules.ts'
import { settingRules } from './setting-rules.ts'

export const getAnyAccounts = defineCall({
  path: '/api/v1/admin/getaccounts',
  access: 'admin',
  summary: "Anyone's accounts by page; optionally of one user, server or tunnel",
  input: {
    ...paging,
    userEmail: z.optional(adminRules.signInEmail),
    serverUUID: z.optional(adminRules.uuid),
    tunnelUUID: z.optional(adminRules.uuid),
    state: z.optional(z.enum(accountFilters, 'choice')),
    search: z.optional(adminRules.search),
    sort: z.optional(z.enum(accountSorts, 'choice')),
  },
  output: list(anyAccount),
})

export const getAnyAccount = defineCall({
  path: '/api/v1/admin/getaccount',
  access: 'admin',
  summary: "Anyone's account",
  input: accountTarget,
  output: one(anyAccount),
  refusals: ['RESOURCE_NOT_FOUND'],
})

const accountChange = { access: 'admin', output: one(anyAccount), message: 'Account changed' } as const

export const setAnyAccountEnabled = defineCall({
  ...accountChange,
  path: '/api/v1/admin/setaccountenabled',
  summary: "Enable or disable anyone's account",
  input: {
    ...accountTarget,
    accountEnabled: adminRules.boolean,
    reason: z.optional(adminRules.reason),
    basedOn: z.optional(adminRules.boolean),
  },
  refusals: ['RESOURCE_NOT_FOUND', 'ACCOUNT_ABUSED', 'CHANGED_MEANWHILE'],
})

export const deleteAnyAccount = defineCall({
  path: '/api/v1/admin/deleteaccount',
  access: 'admin',
  summary: "Delete anyone's account; nothing is refunded",
  input: {
    ...accountTarget,
    reason: adminRules.reason,
    /** The accountExpireDate that the administrator saw: a renewal since then was paid for. */
    basedOn: z.optional(adminRules.instant),
  },
  output: nothing,
  message: 'Account deleted',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const resetData = defineCall({
  ...accountChange,
  path: '/api/v1/admin/resetdata',
  summary: 'Set the data that an account has used in the present period to 0, free of charge',
  input: { ...accountTarget, reason: adminRules.reason },
  message: 'Data reset',
  refusals: ['RESOURCE_NOT_FOUND', 'NO_DATA_LIMIT'],
})

export const giftDays = defineCall({
  ...accountChange,
  path: '/api/v1/admin/giftdays',
  summary: 'Add days to an account, free of charge',
  input: {
    ...accountTarget,
    accountDuration: adminRules.days,
    reason: adminRules.reason,
    basedOn: z.optional(adminRules.instant),
  },
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE', 'EXPIRY_TOO_FAR'],
  idempotent: true,
})

export const moveAccount = defineCall({
  ...accountChange,
  path: '/api/v1/admin/moveaccount',
  summary:
    'Move an account to another server of the same kind, and with toTunnelUUID to another tunnel; its link changes, its subscription link stays',
  input: {
    ...accountTarget,
    toServerUUID: adminRules.uuid,
    toTunnelUUID: z.optional(adminRules.uuid),
    basedOn: seen({
      serverUUID: z.optional(adminRules.uuid),
      tunnelUUID: z.optional(z.nullable(adminRules.uuid)),
    }),
  },
  refusals: [
    'RESOURCE_NOT_FOUND',
    'NOT_THE_SAME_KIND',
    'HOST_NOT_READY',
    'NO_ROOM',
    'NO_WAY_THERE',
    'CHANGED_MEANWHILE',
  ],
})

export const clearAbuseBulk = defineCall({
  path: '/api/v1/accounts/clearabusebulk',
  access: 'admin',
  summary:
    'Open all accounts of a server again that were stopped for abuse, as when its reports were false; 200 at a time',
  input: { serverUUID: adminRules.uuid },
  output: one(z.object({ accountsCleared: z.number(), accountsLeft: z.number() })),
  message: 'Abuse cleared',
  refusals: ['RESOURCE_NOT_FOUND'],
  idempotent: true,
})

export const setAnyAccountSpeed = defineCall({
  ...accountChange,
  path: '/api/v1/admin/setaccountspeed',
  summary:
    "Set how fast anyone's account may be, in Mbit/s on each of its ways and in each direction; null: no limit",
  input: {
    ...accountTarget,
    accountSpeedLimit: z.nullable(rules.speed),
    basedOn: z.optional(z.nullable(rules.speed)),
  },
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const setAnyAccountMaxDevices = defineCall({
  ...accountChange,
  path: '/api/v1/admin/setaccountmaxdevices',
  summary: 'Set how many devices may use an account at once; null: the default of the settings',
  input: {
    ...accountTarget,
    accountMaxDevices: z.nullable(settingRules.devices),
    basedOn: z.optional(z.nullable(settingRules.devices)),
  },
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})
