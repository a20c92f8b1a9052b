import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import * as setUp from './second-factor-setup.ts'

export const secondFactorRoutes = [
  bind(contract.getSecondFactor, ({ ctx, caller }) => setUp.describe(ctx, caller)),
  bind(contract.startSecondFactor, ({ ctx, caller, input }) => setUp.start(ctx, caller, input.password)),
  bind(contract.confirmSecondFactor, ({ ctx, caller, by, input }) =>
    setUp.confirm(ctx, caller, by, input.code),
  ),
  bind(contract.removeSecondFactor, ({ ctx, caller, by, input }) => setUp.remove(ctx, caller, by, input)),
  bind(contract.newRecoveryCodes, ({ ctx, caller, by, input }) =>
    setUp.renewRecoveryCodes(ctx, caller, by, input),
  ),
]
