import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { requestOf } from '../idempotency/idempotency.ts'
import * as accounts from './accounts.ts'
import { findAnyAccounts, getAnyAccount } from './any-account.ts'
import {
  giveDays,
  moveAnyAccount,
  removeAnyAccount,
  resetUsedData,
  setAnySpeed,
  setMaxDevices,
  switchAnyAccount,
} from './any-account-acts.ts'
import { deleteAccounts, extendAccounts, quoteRenewals, setManyEnabled } from './bulk.ts'
import { clearAbuse, clearAbuseOn } from './clear-abuse.ts'
import { plansOnOffer } from './plans-on-offer.ts'
import { addDataTo, createAccount, extendAccount } from './purchase.ts'
import { quoteByPlanFor, quoteDataFor, quoteFor } from './quote.ts'

export const accountsRoutes = [
  bind(contract.getUserAccounts, ({ ctx, caller, input, lng }) =>
    accounts.listAccounts(ctx, caller, input, lng),
  ),
  bind(contract.getAccount, ({ ctx, caller, input, lng }) =>
    accounts.getAccount(ctx, caller, input.accountUUID, lng),
  ),
  bind(contract.newAccount, ({ ctx, input, ...buyer }) =>
    createAccount(ctx, buyer, contract.newAccount, input),
  ),
  bind(contract.extendDuration, ({ ctx, input, ...buyer }) =>
    extendAccount(ctx, buyer, contract.extendDuration, input),
  ),
  bind(contract.setEnabled, ({ ctx, caller, input, lng }) =>
    accounts.setEnabled(ctx, caller, input.accountUUID, input.accountEnabled, lng),
  ),
  bind(contract.setSpeed, ({ ctx, caller, input, lng }) => accounts.setSpeed(ctx, caller, input, lng)),
  bind(contract.deleteAccount, ({ ctx, caller, input }) =>
    accounts.deleteAccount(ctx, caller, input.accountUUID),
  ),
  bind(contract.quoteAccount, ({ ctx, caller, input }) => quoteFor(ctx, caller, input)),
  bind(contract.addData, ({ ctx, input, ...buyer }) => addDataTo(ctx, buyer, contract.addData, input)),
  bind(contract.quoteData, ({ ctx, caller, input }) => quoteDataFor(ctx, caller, input)),
  bind(contract.getPlans, ({ ctx, caller, input, lng }) => plansOnOffer(ctx, caller, input.accountUUID, lng)),
  bind(contract.newByPlan, ({ ctx, input, ...buyer }) =>
    createAccount(ctx, buyer, contract.newByPlan, input),
  ),
  bind(contract.renewByPlan, ({ ctx, input, ...buyer }) =>
    extendAccount(ctx, buyer, contract.renewByPlan, input),
  ),
  bind(contract.quoteByPlan, ({ ctx, caller, input }) => quoteByPlanFor(ctx, caller, input)),
  bind(contract.getTargets, ({ ctx }) => accounts.listTargets(ctx)),
  bind(contract.quoteBulk, ({ ctx, caller, input }) => quoteRenewals(ctx, caller, input)),
  bind(contract.extendBulk, ({ ctx, input, ...buyer }) =>
    extendAccounts(ctx, buyer, contract.extendBulk, input),
  ),
  bind(contract.setEnabledBulk, ({ ctx, input, ...buyer }) =>
    setManyEnabled(ctx, buyer, contract.setEnabledBulk, input),
  ),
  bind(contract.deleteBulk, ({ ctx, input, ...buyer }) =>
    deleteAccounts(ctx, buyer, contract.deleteBulk, input),
  ),
  bind(contract.renewSubscription, ({ ctx, caller, input, lng }) =>
    accounts.replaceSubscriptionLink(ctx, caller, input.accountUUID, lng),
  ),
  bind(contract.newSecret, ({ ctx, caller, input, lng }) =>
    accounts.replaceVpnSecret(ctx, caller, input.accountUUID, lng),
  ),
  bind(contract.getUsage, ({ ctx, caller, input }) => accounts.getUsage(ctx, caller, input.accountUUID)),
  bind(contract.clearAbuse, ({ ctx, caller, by, input, lng }) =>
    clearAbuse(ctx, caller, by, input.accountUUID, lng),
  ),
  bind(contract.clearAbuseBulk, ({ ctx, by, input, ...sender }) =>
    clearAbuseOn(ctx, by, input.serverUUID, requestOf(contract.clearAbuseBulk, sender, input)),
  ),
  bind(contract.getAnyAccounts, ({ ctx, input, lng }) => findAnyAccounts(ctx, input, lng)),
  bind(contract.getAnyAccount, ({ ctx, input, lng }) => getAnyAccount(ctx, input.accountUUID, lng)),
  bind(contract.setAnyAccountEnabled, ({ ctx, by, input, lng }) => switchAnyAccount(ctx, by, input, lng)),
  bind(contract.setAnyAccountMaxDevices, ({ ctx, by, input, lng }) => setMaxDevices(ctx, by, input, lng)),
  bind(contract.setAnyAccountSpeed, ({ ctx, by, input, lng }) => setAnySpeed(ctx, by, input, lng)),
  bind(contract.deleteAnyAccount, ({ ctx, by, input }) => removeAnyAccount(ctx, by, input)),
  bind(contract.resetData, ({ ctx, by, input, lng }) => resetUsedData(ctx, by, input, lng)),
  bind(contract.giftDays, ({ ctx, by, input, lng, ...sender }) =>
    giveDays(ctx, by, input, requestOf(contract.giftDays, sender, input), lng),
  ),
  bind(contract.moveAccount, ({ ctx, by, input, lng }) => moveAnyAccount(ctx, by, input, lng)),
]
