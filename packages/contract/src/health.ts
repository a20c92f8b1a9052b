import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { hostHealths } from './host-calls.ts'

export const healthReasons = [
  'ANSWERED',
  'HEARD',
  'SILENT',
  'REFUSED',
  'TIMEOUT',
  'NO_HANDSHAKE',
  'CERTIFICATE',
  /** It accepts any secret, so it is not the server that was provisioned. */
  'OPEN',
  /** The account of the probe gets no page through the server. */
  'NO_INTERNET',
  'NEVER_TRIED',
] as const
export type HealthReason = (typeof healthReasons)[number]

export const probeOutcomes = [
  'ANSWERED',
  'REFUSED',
  'TIMEOUT',
  'NO_HANDSHAKE',
  'CERTIFICATE',
  'OPEN',
  'NO_INTERNET',
  'OFF',
  'NO_CORE',
  'NO_TUNNEL',
  'NO_SERVER',
  /** The server's agent has not reported the account of the probe so far. */
  'NO_ACCOUNT',
  'FORBIDDEN',
] as const
export type ProbeOutcome = (typeof probeOutcomes)[number]

export const healthChange = z.object({
  health: z.enum(hostHealths),
  reason: z.enum(healthReasons),
  detail: z.string(),
  sinceDate: z.string(),
  untilDate: z.nullable(z.string()),
})

const hostHealth = z.object({
  health: z.enum(hostHealths),
  reason: z.enum(healthReasons),
  probeDate: z.nullable(z.string()),
  probeOutcome: z.nullable(z.enum(probeOutcomes)),
  probeDetail: z.string(),
  probeFailures: z.number(),
  /** From the last probe or the agent's report; '' if unknown. */
  certificateIssuer: z.string(),
  certificateUntilDate: z.nullable(z.string()),
  changes: z.array(healthChange),
  /** `changes` has only the latest of them. */
  changeCount: z.number(),
  /** A run is queued or under way. */
  openRun: z.optional(z.boolean()),
  /** The last run on a host in service has failed; it is repeated by itself. */
  upkeep: z.optional(
    z.nullable(
      z.object({
        failures: z.number(),
        runUUID: z.string(),
        failedDate: z.string(),
        retryDate: z.string(),
        lastLine: z.string(),
      }),
    ),
  ),
  /** A server's tunnels (itself if it has none), or a tunnel's servers; whether new accounts are sold by that way. */
  ways: z.optional(
    z.array(
      z.object({
        hostUUID: z.string(),
        hostName: z.string(),
        isSold: z.boolean(),
        /** null: not probed so far. */
        outcome: z.nullable(z.enum(probeOutcomes)),
        detail: z.string(),
        probeDate: z.nullable(z.string()),
      }),
    ),
  ),
})

export const getHostHealth = defineCall({
  path: '/api/v1/hosts/gethealth',
  access: 'admin',
  summary: 'The health of a host by its agent and by the outside probe, and when it changed',
  input: { hostUUID: adminRules.uuid },
  output: one(hostHealth),
  refusals: ['RESOURCE_NOT_FOUND'],
})
