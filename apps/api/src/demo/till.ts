import type { Settings } from '@kelid/contract'
import type { Context } from '../context.ts'
import type { By } from '../features/audit/audit.ts'
import { adjustCredit, adjustDebt, adjustTunnelCredit } from '../features/credit/adjustments.ts'
import { walletOf } from '../features/credit/credit.ts'
import { priceOf, settle } from '../features/credit/money.ts'
import { findUserByEmail } from '../features/users/users.ts'
import { dollars } from '../lib/money.ts'
import type { Reseller } from './people.ts'
import type { Sale } from './plan.ts'

const reasons = ['bank transfer received', 'card payment received', 'paid in cash', 'monthly package']

/** Sees to it that a reseller can pay for days: buys credit, or runs up a debt and pays most of it back. */
export async function prepareToPay(
  ctx: Context,
  by: By,
  settings: Settings,
  { reseller, vpnType }: Pick<Sale, 'reseller' | 'vpnType'>,
  days: number,
): Promise<void> {
  const user = await userOf(ctx, reseller)
  const cost = priceOf(settings, vpnType, days)
  const wallet = walletOf(user, settings)
  if (cost.tunnelCredit > wallet.tunnelCredit) await buyTunnelCredit(ctx, by, reseller, cost.tunnelCredit)
  const { refusal } = settle({ ...wallet, tunnelCredit: cost.tunnelCredit }, cost)
  if (!refusal) return
  if (wallet.debtCents > 0) await payBack(ctx, by, reseller, wallet.debtCents)
  const amount = Math.max(reseller.topUp, cost.points)
  await adjustCredit(ctx, by, { userEmail: reseller.email, amount, reason: reasonFor(user.points + days) })
}

async function userOf(ctx: Context, { email }: Reseller) {
  const user = await findUserByEmail(ctx.db, email)
  if (!user) throw new Error(`${email} has not joined yet`)
  return user
}

const reasonFor = (number: number) => reasons[number % reasons.length] as string

const buyTunnelCredit = (ctx: Context, by: By, { email, topUp }: Reseller, least: number) =>
  adjustTunnelCredit(ctx, by, {
    userEmail: email,
    amount: Math.max(Math.round(topUp / 20), least),
    reason: 'tunnel credit, package',
  })

/** Nine tenths, so that some debt stays to be seen. */
const payBack = (ctx: Context, by: By, { email }: Reseller, debtCents: number) =>
  adjustDebt(ctx, by, {
    userEmail: email,
    amount: -dollars(Math.ceil(debtCents * 0.9)),
    reason: 'debt paid by bank transfer',
  })
