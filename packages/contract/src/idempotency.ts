import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'

export const settleKey = defineCall({
  path: '/api/v1/admin/settlekey',
  access: 'admin',
  summary:
    'Whether what was sent under this Idempotency-Key was done; if it was not, it never will be, however late it arrives',
  input: { idempotencyKey: adminRules.idempotencyKey },
  output: one(z.object({ isDone: z.boolean() })),
  refusals: ['TOO_MANY_KEYS'],
})
