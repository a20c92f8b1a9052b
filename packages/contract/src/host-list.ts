import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { paging } from './call.ts'
import { hostHealths, hostRooms } from './host-calls.ts'
import { hostStates } from './hosts.ts'

export const hostList = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) => ({
  ...paging,
  search: z.optional(adminRules.search),
  state: z.optional(z.enum(hostStates, 'choice')),
  health: z.optional(z.enum(hostHealths, 'choice')),
  room: z.optional(z.enum(hostRooms, 'choice')),
  sort: z.optional(z.enum(sorts, 'choice')),
})
