import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import * as manage from './manage.ts'

export const plansRoutes = [
  bind(contract.getAllPlans, ({ ctx }) => manage.listPlans(ctx)),
  bind(contract.addPlan, ({ ctx, by, input }) => manage.add(ctx, by, input)),
  bind(contract.changePlan, ({ ctx, by, input }) => manage.change(ctx, by, input)),
  bind(contract.setPlanActive, ({ ctx, by, input }) => manage.setActive(ctx, by, input)),
  bind(contract.deletePlan, ({ ctx, by, input }) => manage.remove(ctx, by, input)),
  bind(contract.orderPlans, ({ ctx, by, input }) => manage.order(ctx, by, input)),
]
