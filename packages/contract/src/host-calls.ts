import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { beyondSpec } from './beyond-spec.ts'
import { nothing, one } from './call.ts'
import { hostStates } from './hosts.ts'

export const hostHealths = ['unknown', 'up', 'down'] as const
export type HostHealth = (typeof hostHealths)[number]

/** Hosts that take new accounts: no free place, or at most a tenth free. */
export const hostRooms = ['full', 'nearlyFull'] as const
export type HostRoom = (typeof hostRooms)[number]

/** Why the accounts of a host get other hosts. */
export const replacementReasons = ['blocked', 'down'] as const
export type ReplacementReason = (typeof replacementReasons)[number]

/** A provider's GB are powers of ten, while what customers buy is not. */
export const providerGigabyte = 10 ** 9

/** '': enough, or no quota. Hosts without any left take no new accounts. */
export const quotaStates = ['', 'low', 'exhausted'] as const
export type QuotaState = (typeof quotaStates)[number]

/** The present month of the provider; null without a quota. Bytes are those of all services of the machine. */
export const quotaMonth = z.nullable(
  z.object({
    quotaState: z.enum(quotaStates),
    quotaUsed: z.number(),
    quotaBeginDate: z.string(),
    quotaEndDate: z.string(),
  }),
)

export const ansibleLog = z.object({
  ansibleLog: z.string(),
  ...beyondSpec({ ansibleState: z.enum(hostStates) }),
})

export const addressRefusals = [
  'FORBIDDEN_TARGET',
  'PORT_TAKEN',
  'TUNNEL_TAKEN',
  'MACHINE_FULL',
  'ADDRESS_IN_CLEANING',
  'ADDRESS_STILL_USED',
] as const

/** Parts that the calls of both kinds share; each kind adds its path and its UUID. */
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

/** Values that the administrator saw before deciding; only sent fields are compared. */
export const seen = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.optional(z.strictObject(shape, 'basedOn'))
export const seenText = () => z.optional(z.string('text').check(z.maxLength(500, 'atMost500')))
export const seenBoolean = () => z.optional(z.boolean('boolean'))
export const seenNumber = () => z.optional(z.int('maxAccounts'))
