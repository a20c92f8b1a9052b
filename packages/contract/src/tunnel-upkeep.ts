import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import * as host from './host-calls.ts'
import { tunnel, tunnelAccess } from './tunnels.ts'

const target = { tunnelUUID: adminRules.uuid }

export const getTunnelRuns = defineCall({
  ...host.runsCall,
  path: '/api/v1/tunnels/getruns',
  input: { ...target, ...paging },
})

export const cancelTunnelRun = defineCall({
  ...host.cancelCall,
  path: '/api/v1/tunnels/cancel',
  input: target,
  output: one(tunnel),
})

export const setTunnelPaused = defineCall({
  ...host.pauseCall,
  path: '/api/v1/tunnels/setpaused',
  input: {
    ...target,
    tunnelPaused: adminRules.boolean,
    basedOn: host.seen({ tunnelPaused: adminRules.boolean }),
  },
  output: one(tunnel),
})

export const editTunnel = defineCall({
  ...host.editCall,
  path: '/api/v1/tunnels/edit',
  input: {
    ...target,
    tunnelName: z.optional(adminRules.safeName),
    tunnelMaxAccounts: z.optional(adminRules.maxAccounts),
    tunnelCreatorEmail: z.optional(adminRules.email),
    ...tunnelAccess,
    basedOn: host.seen({
      tunnelName: host.seenText(),
      tunnelMaxAccounts: host.seenNumber(),
      tunnelCreatorEmail: host.seenText(),
    }),
  },
  output: one(tunnel),
})

export const getTunnelMoveTargets = defineCall({
  ...host.moveTargetsCall,
  path: '/api/v1/tunnels/getmovetargets',
  input: { ...target, ...host.moveTargetsInput },
  output: list(tunnel),
})

const move = { ...target, toTunnelUUID: adminRules.uuid }

export const quoteTunnelMove = defineCall({
  ...host.quoteMoveCall,
  path: '/api/v1/tunnels/quotemove',
  input: move,
})

export const moveTunnelAccounts = defineCall({
  ...host.moveAccountsCall,
  path: '/api/v1/tunnels/moveaccounts',
  input: { ...move, accounts: adminRules.maxAccounts },
})

export const removeTunnel = defineCall({
  ...host.removeCall,
  path: '/api/v1/tunnels/remove',
  input: target,
})
