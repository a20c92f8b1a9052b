import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { hostHealths } from './host-calls.ts'

/** Why a host is taken to be as it is. */
export const healthReasons = [
  /** It answered the outside probe as a host of its kind does. */
  'ANSWERED',
  /** Its agent is heard; nobody could try it from outside. */
  'HEARD',
  /** Its agent was heard before and is not any more. */
  'SILENT',
  'REFUSED',
  'TIMEOUT',
  'NO_HANDSHAKE',
  'CERTIFICATE',
  /** It takes whoever asks: it is not the server that was set up there. */
  'OPEN',
  /** Nobody has tried or heard it so far. */
  'NEVER_TRIED',
] as const
export type HealthReason = (typeof healthReasons)[number]

/** What the outside probe found, or why it did not try. */
export const probeOutcomes = [
  'ANSWERED',
  'REFUSED',
  'TIMEOUT',
  'NO_HANDSHAKE',
  'CERTIFICATE',
  'OPEN',
  'OFF',
  'NO_CORE',
  'NO_TUNNEL',
  'NO_SERVER',
  'FORBIDDEN',
] as const
export type ProbeOutcome = (typeof probeOutcomes)[number]

export const healthChange = z.object({
  health: z.enum(hostHealths),
  reason: z.enum(healthReasons),
  /** What the other side said, or which host was not reached; text of a machine. */
  detail: z.string(),
  sinceDate: z.string(),
  /** null while it is so. */
  untilDate: z.nullable(z.string()),
})

const hostHealth = z.object({
  health: z.enum(hostHealths),
  reason: z.enum(healthReasons),
  /** The last try from outside; null before the first. */
  probeDate: z.nullable(z.string()),
  probeOutcome: z.nullable(z.enum(probeOutcomes)),
  probeDetail: z.string(),
  /** How often in a row it failed. */
  probeFailures: z.number(),
  /** Who signed the certificate that it showed, or has by its agent's word; '' where neither is known. */
  certificateIssuer: z.string(),
  certificateUntilDate: z.nullable(z.string()),
  /** The newest first; of the last 30 days. */
  changes: z.array(healthChange),
  /** How many there are; `changes` has the latest of them. */
  changeCount: z.number(),
})

export const getHostHealth = defineCall({
  path: '/api/v1/hosts/gethealth',
  access: 'admin',
  summary: 'The health of a host by its agent and by the outside probe, and when it changed',
  input: { hostUUID: adminRules.uuid },
  output: one(hostHealth),
  refusals: ['RESOURCE_NOT_FOUND'],
})
