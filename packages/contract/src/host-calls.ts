import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { beyondSpec } from './beyond-spec.ts'
import { list, nothing, one } from './call.ts'
import { hostStates } from './hosts.ts'

export const hostHealths = ['unknown', 'up', 'down'] as const
export type HostHealth = (typeof hostHealths)[number]

/** Of a host that takes new accounts: without a place left, and with a tenth of them or less left. */
export const hostRooms = ['full', 'nearlyFull'] as const
export type HostRoom = (typeof hostRooms)[number]

export const runStates = ['queued', 'running', 'succeeded', 'failed', 'superseded', 'cancelled'] as const
export type RunState = (typeof runStates)[number]

/** `clean`: of the machine that the host has left. */
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
  /** The e-mail of who asked for it; '' where that was not kept. */
  runBy: z.string(),
})

export const ansibleLog = z.object({
  ansibleLog: z.string(),
  ...beyondSpec({ ansibleState: z.enum(hostStates) }),
})

/** Why the accounts of one host cannot be moved to another. */
export const moveRefusals = ['NOT_THE_SAME_KIND', 'HOST_NOT_READY', 'NO_ROOM'] as const
export type MoveRefusal = (typeof moveRefusals)[number]

export const moveQuote = z.object({
  accounts: z.number(),
  room: z.number(),
  fits: z.boolean(),
  refusal: z.nullable(z.enum(moveRefusals)),
  /** false: the customers will leave the network in another country than they do now. */
  sameCountry: z.boolean(),
})

/** Why a host cannot be at an address. */
export const addressRefusals = [
  'FORBIDDEN_TARGET',
  'ADDRESS_TAKEN',
  'ADDRESS_IN_CLEANING',
  'ADDRESS_STILL_USED',
] as const

/** What the calls of both kinds say alike; each kind adds the path and the UUID. */
export const provisionCall = {
  access: 'admin',
  summary: 'Run provisioning again',
  output: nothing,
  message: 'Provisioning queued',
  refusals: ['RESOURCE_NOT_FOUND'],
} as const

export const logCall = {
  access: 'admin',
  summary: 'The log of the latest provisioning, or of the run that is named',
  output: one(ansibleLog),
  refusals: ['RESOURCE_NOT_FOUND'],
} as const
export const logInput = { runUUID: z.optional(adminRules.uuid) }

export const runsCall = {
  access: 'admin',
  summary: 'Its runs, newest first',
  output: list(run),
  refusals: ['RESOURCE_NOT_FOUND'],
} as const

export const cancelCall = {
  access: 'admin',
  summary: 'Cancel the run that waits or is under way',
  message: 'Run cancelled',
  refusals: ['RESOURCE_NOT_FOUND', 'NOTHING_RUNS'],
} as const

export const pauseCall = {
  access: 'admin',
  summary: 'Take no new accounts, or take them again; the accounts that are there go on',
  message: 'Saved',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
} as const

export const editCall = {
  access: 'admin',
  summary: 'Change what needs no provisioning; what is left out stays',
  message: 'Saved',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE', 'LIMIT_TOO_SMALL'],
} as const

export const moveTargetsCall = {
  access: 'admin',
  summary: 'Where its accounts could be moved to, most room first',
  refusals: ['RESOURCE_NOT_FOUND'],
} as const
export const moveTargetsInput = {
  search: z.optional(adminRules.search),
  limit: z.optional(adminRules.pageSize),
}

export const quoteMoveCall = {
  access: 'admin',
  summary: 'How many accounts would move, and whether they can',
  output: one(moveQuote),
  refusals: ['RESOURCE_NOT_FOUND'],
} as const

export const moveAccountsCall = {
  access: 'admin',
  summary: 'Move all accounts to another one of the same kind, if they are still as many as was shown',
  output: one(z.object({ accounts: z.number() })),
  message: 'Accounts moved',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE', ...moveRefusals],
  idempotent: true,
} as const

export const removeCall = {
  access: 'admin',
  summary: 'Remove one that has no accounts; its runs are cancelled',
  output: nothing,
  message: 'Removed',
  refusals: ['RESOURCE_NOT_FOUND', 'HOST_NOT_EMPTY'],
} as const

/** The values that whoever decides has seen, as the reply had them; only those that are given are compared. */
export const seen = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.strictObject(shape, 'basedOn'))
export const seenText = () => z.optional(z.string('text').check(z.maxLength(500, 'atMost500')))
export const seenNumber = () => z.optional(z.int('maxAccounts'))
