import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import * as admin from './admin.ts'
import { dashboard } from './dashboard.ts'

export const adminRoutes = [
  bind(contract.getDashboard, ({ ctx }) => dashboard(ctx)),
  bind(contract.getUsers, ({ ctx, input }) => admin.listUsers(ctx, input)),
  bind(contract.adjustUserCredit, ({ ctx, by, input }) => admin.adjustCredit(ctx, by, input)),
  bind(contract.adjustUserTunnelCredit, ({ ctx, by, input }) => admin.adjustTunnelCredit(ctx, by, input)),
  bind(contract.adjustUserDebt, ({ ctx, by, input }) => admin.adjustDebt(ctx, by, input)),
  bind(contract.setUserRate, ({ ctx, by, input }) =>
    admin.setRate(ctx, by, input.userEmail, input.userCustomCreditRate),
  ),
  bind(contract.setUserDebtLimit, ({ ctx, by, input }) =>
    admin.setDebtLimit(ctx, by, input.userEmail, input.value),
  ),
  bind(contract.setUserLevel, ({ ctx, by, input }) => admin.setLevel(ctx, by, input.userEmail, input.value)),
  bind(contract.setUserPhone, ({ ctx, by, input }) =>
    admin.setPhone(ctx, by, input.userEmail, input.userPhone),
  ),
]
