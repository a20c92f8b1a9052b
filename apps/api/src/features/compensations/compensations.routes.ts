import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import * as compensations from './compensations.ts'

export const compensationsRoutes = [
  bind(contract.quoteCompensation, ({ ctx, input }) => compensations.quote(ctx, input)),
  bind(contract.compensate, ({ ctx, input, ...giver }) =>
    compensations.compensate(ctx, giver, contract.compensate, input),
  ),
  bind(contract.getCompensations, ({ ctx, input }) => compensations.list(ctx, input)),
]
