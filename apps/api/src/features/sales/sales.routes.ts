import { getDataSold, getSales } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { dataSold, salesOf } from './sales.ts'

export const salesRoutes = [
  bind(getSales, ({ ctx, caller, lng }) => salesOf(ctx, caller.userId, lng)),
  bind(getDataSold, ({ ctx, lng }) => dataSold(ctx, lng)),
]
