import { getDashboard } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { dashboard } from './dashboard.ts'

export const dashboardRoutes = [bind(getDashboard, ({ ctx }) => dashboard(ctx))]
