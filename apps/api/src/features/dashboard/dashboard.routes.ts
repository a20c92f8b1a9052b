import { getActivity, getDashboard } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { activity } from './activity.ts'
import { dashboard } from './dashboard.ts'

export const dashboardRoutes = [
  bind(getDashboard, ({ ctx }) => dashboard(ctx)),
  bind(getActivity, ({ ctx, input }) => activity(ctx, input)),
]
