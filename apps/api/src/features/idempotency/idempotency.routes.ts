import { settleKey } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { settle } from './idempotency.ts'

export const idempotencyRoutes = [
  bind(settleKey, ({ ctx, caller, input }) => settle(ctx, caller.userId, input.idempotencyKey)),
]
