import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import * as host from './host-calls.ts'
import { server, serverAccess } from './servers.ts'

const target = { serverUUID: adminRules.uuid }

export const getServerRuns = defineCall({
  ...host.runsCall,
  path: '/api/v1/servers/getruns',
  input: { ...target, ...paging },
})

export const cancelServerRun = defineCall({
  ...host.cancelCall,
  path: '/api/v1/servers/cancel',
  input: target,
  output: one(server),
})

export const setServerPaused = defineCall({
  ...host.pauseCall,
  path: '/api/v1/servers/setpaused',
  input: {
    ...target,
    serverPaused: adminRules.boolean,
    basedOn: host.seen({ serverPaused: adminRules.boolean }),
  },
  output: one(server),
})

export const editServer = defineCall({
  ...host.editCall,
  path: '/api/v1/servers/edit',
  input: {
    ...target,
    serverName: z.optional(adminRules.safeName),
    serverMaxAccounts: z.optional(adminRules.maxAccounts),
    serverDescription: adminRules.optionalDescription,
    serverProvider: adminRules.optionalText,
    serverExpireDate: adminRules.optionalDate,
    serverLocation: adminRules.optionalText,
    serverTargetCountry: adminRules.optionalText,
    serverTargetOperator: adminRules.optionalText,
    ...serverAccess,
    serverHostingName: adminRules.optionalText,
    serverHostingUsername: adminRules.optionalText,
    serverHostingPassword: adminRules.optionalSecret,
    basedOn: host.seen({
      serverName: host.seenText(),
      serverMaxAccounts: host.seenNumber(),
      serverDescription: host.seenText(),
      serverProvider: host.seenText(),
      serverExpireDate: host.seenText(),
      serverLocation: host.seenText(),
      serverTargetCountry: host.seenText(),
      serverTargetOperator: host.seenText(),
    }),
  },
  output: one(server),
})

export const getServerMoveTargets = defineCall({
  ...host.moveTargetsCall,
  path: '/api/v1/servers/getmovetargets',
  input: { ...target, ...host.moveTargetsInput },
  output: list(server),
})

const move = { ...target, toServerUUID: adminRules.uuid }

export const quoteServerMove = defineCall({
  ...host.quoteMoveCall,
  path: '/api/v1/servers/quotemove',
  input: move,
})

export const moveServerAccounts = defineCall({
  ...host.moveAccountsCall,
  path: '/api/v1/servers/moveaccounts',
  input: { ...move, accounts: adminRules.maxAccounts },
})

export const removeServer = defineCall({
  ...host.removeCall,
  path: '/api/v1/servers/remove',
  input: target,
})
