import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { requestOf } from '../idempotency/idempotency.ts'
import * as adjustments from './adjustments.ts'
import { creditOf, debtOf } from './balances.ts'
import { statementFile, statementPage, userIdOf } from './statement.ts'

export const creditRoutes = [
  bind(contract.getUserCredit, ({ ctx, caller }) => creditOf(ctx, caller)),
  bind(contract.getUserDebt, ({ ctx, caller }) => debtOf(ctx, caller)),
  bind(contract.getStatement, ({ ctx, caller, input, lng }) => statementPage(ctx, caller.userId, input, lng)),
  bind(contract.getStatementFile, ({ ctx, caller, lng }) => statementFile(ctx, caller.userId, false, lng)),
  bind(contract.getUserStatement, async ({ ctx, input, lng }) =>
    statementPage(ctx, await userIdOf(ctx.db, input.userEmail), input, lng),
  ),
  bind(contract.getUserStatementFile, async ({ ctx, input, lng }) =>
    statementFile(ctx, await userIdOf(ctx.db, input.userEmail), true, lng),
  ),
  bind(contract.adjustUserCredit, ({ ctx, by, input, ...sender }) =>
    adjustments.adjustCredit(ctx, by, input, requestOf(contract.adjustUserCredit, sender, input)),
  ),
  bind(contract.adjustUserTunnelCredit, ({ ctx, by, input, ...sender }) =>
    adjustments.adjustTunnelCredit(ctx, by, input, requestOf(contract.adjustUserTunnelCredit, sender, input)),
  ),
  bind(contract.adjustUserDebt, ({ ctx, by, input, ...sender }) =>
    adjustments.adjustDebt(ctx, by, input, requestOf(contract.adjustUserDebt, sender, input)),
  ),
  bind(contract.setUserRate, ({ ctx, by, input }) => adjustments.setRate(ctx, by, input)),
  bind(contract.setUserDebtLimit, ({ ctx, by, input }) => adjustments.setDebtLimit(ctx, by, input)),
]
