import { randomUUID } from 'node:crypto'
import { extendDuration, newAccount, newByPlan } from '@kelid/contract'
import { createAccount, deleteAccount, extendAccount, setEnabled } from '../features/accounts/accounts.ts'
import { adjustCredit, adjustDebt, adjustTunnelCredit } from '../features/credit/adjustments.ts'
import { walletOf } from '../features/credit/credit.ts'
import { priceOf, settle } from '../features/credit/money.ts'
import { currentSettings } from '../features/settings/settings.ts'
import { findUserByEmail } from '../features/users/users.ts'
import { dollars } from '../lib/money.ts'
import { markAbused } from './demo.store.ts'
import type { DemoAction, Sale } from './plan.ts'
import { monthPlan } from './sold-plans.ts'
import { common, type Stage } from './stage.ts'

const reasons = ['bank transfer received', 'card payment received', 'paid in cash', 'monthly package']

async function userOf({ ctx }: Stage, email: string) {
  const user = await findUserByEmail(ctx.db, email)
  if (!user) throw new Error(`${email} has not joined yet`)
  return user
}

async function prepareToPay(stage: Stage, { reseller, ...bought }: Sale, days: number): Promise<void> {
  const { ctx, clock, by } = stage
  const { email: userEmail, topUp } = reseller
  const user = await userOf(stage, userEmail)
  const settings = await currentSettings(ctx.db)
  const cost = priceOf(settings, bought, { days, gigabytes: 0 })
  const wallet = walletOf(user, settings)
  if (cost.tunnelCredit > wallet.tunnelCredit) {
    const amount = Math.max(Math.round(topUp / 20), cost.tunnelCredit)
    await adjustTunnelCredit(ctx, by, { userEmail, amount, reason: 'tunnel credit, package' })
  }
  if (settle({ ...wallet, tunnelCredit: cost.tunnelCredit }, cost).refusal) {
    // Nine tenths, so that the demo shows some debt.
    const amount = -dollars(Math.ceil(wallet.debtCents * 0.9))
    if (wallet.debtCents > 0)
      await adjustDebt(ctx, by, { userEmail, amount, reason: 'debt paid by bank transfer' })
    const reason = reasons[(user.points + days) % reasons.length] ?? ''
    await adjustCredit(ctx, by, { userEmail, amount: Math.max(topUp, cost.points), reason })
  }
  clock.moveBy(90_000)
}

export function openTrade(stage: Stage) {
  const { ctx, clock } = stage
  const accountsBySale = new Map<Sale, string>()
  return async (action: DemoAction): Promise<void> => {
    const { sale } = action
    const { id: userId, email, level } = await userOf(stage, sale.reseller.email)
    const caller = { userId, email, phone: null, level, contact: '', sessionId: randomUUID() }
    const buyer = { caller, lng: 'en', idempotencyKey: null } as const
    const accountUUID = accountsBySale.get(sale) ?? ''
    if (action.kind === 'buy') {
      await prepareToPay(stage, sale, sale.days)
      const hasLimit = sale.name.length % 3 === 0
      const named = { ...common, accountName: sale.name }
      const account =
        hasLimit && sale.vpnType === 'hysteria2-direct' && sale.days === 30
          ? await createAccount(ctx, buyer, newByPlan, { ...named, planUUID: monthPlan })
          : await createAccount(ctx, buyer, newAccount, {
              ...named,
              accountVPNType: sale.vpnType,
              accountTunnelType: sale.tunnelType,
              accountTunnelEnabled: sale.tunnelType !== '',
              accountDuration: sale.days,
              ...(hasLimit && { accountDataLimit: 50 }),
            })
      accountsBySale.set(sale, account.accountUUID)
    } else if (action.kind === 'renew') {
      await prepareToPay(stage, sale, action.days)
      const input = { ...common, accountUUID, accountDuration: action.days }
      await extendAccount(ctx, buyer, extendDuration, input)
    } else if (action.kind === 'abuse') await markAbused(ctx.db, accountUUID, action.devices, clock.now())
    else if (action.kind === 'disable') await setEnabled(ctx, caller, accountUUID, false, 'en')
    else await deleteAccount(ctx, caller, accountUUID)
  }
}
