import * as z from 'zod/mini'
import { adminPatterns, adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { limits } from './limits.ts'
import { textRule } from './rules.ts'

/** Who it is, its certificate says, and no body; which version of the agent it is, `clientVersion`. */
export const hello = defineCall({
  path: '/agent/v1/hello',
  access: 'node',
  summary: 'The agent of a host is there',
  input: {
    /** Empty: there is no core. */
    coreVersion: textRule('version', limits.textMax, new RegExp(`^$|${adminPatterns.version.source}`)),
    /** By its own clock. */
    now: adminRules.instant,
  },
  output: one(
    z.object({
      /** Another one: this is another database, or one that was restored. */
      epoch: z.string(),
      now: z.string(),
    }),
  ),
})
