import { searchEverywhere } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { search } from './search.ts'

export const searchRoutes = [bind(searchEverywhere, ({ ctx, input }) => search(ctx, input.search))]
