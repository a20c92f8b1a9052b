import * as z from 'zod/mini'
import { hostKinds, hostStates } from './hosts.ts'

export const liveEvent = z.union([
  /** The stream is open; its id is where a reconnect resumes. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('account'), accountUUID: z.string() }),
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
