import * as z from 'zod/mini'
import { hostKinds, hostStates } from './hosts.ts'

/** Percentages of the data of an account that its owner is reminded of. */
export const dataShares = [80, 100] as const
export type DataShare = (typeof dataShares)[number]

export const liveEvent = z.union([
  /** The stream is open; its id is where a reconnect resumes. */
  z.object({ type: z.literal('ready') }),
  /** `dataShare`: the percentage of its data that it has just used, once in each period. */
  z.object({
    type: z.literal('account'),
    accountUUID: z.string(),
    dataShare: z.optional(z.literal(dataShares)),
  }),
  z.object({ type: z.literal('balance') }),
  z.object({ type: z.literal('sessions') }),
  z.object({ type: z.literal('server'), serverUUID: z.string(), state: z.enum(hostStates) }),
  z.object({ type: z.literal('tunnel'), tunnelUUID: z.string(), state: z.enum(hostStates) }),
  z.object({
    type: z.literal('log'),
    subject: z.enum(hostKinds),
    uuid: z.string(),
    run: z.string(),
    number: z.number(),
    line: z.string(),
  }),
  /** Missed events are no longer kept: read everything again. */
  z.object({ type: z.literal('reset') }),
])
export type LiveEvent = z.output<typeof liveEvent>
