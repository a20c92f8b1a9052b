import { Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { dollars, worthOf } from '../../lib/money.ts'
import type { Caller } from '../auth/auth.ts'
import { currentSettings } from '../settings/settings.ts'
import { findUser } from '../users/users.ts'
import { walletOf } from './credit.ts'

async function walletOfCaller(ctx: Context, caller: Caller) {
  const user = await findUser(ctx.db, caller.userId)
  if (!user) throw new Refusal('UNAUTHENTICATED')
  const settings = await currentSettings(ctx.db)
  return { ...walletOf(user, settings), renewal: settings.renewal }
}

export async function creditOf(ctx: Context, caller: Caller) {
  const { points, tunnelCredit, rate, renewal } = await walletOfCaller(ctx, caller)
  return {
    userCredit: points,
    userCreditDollars: worthOf(points, rate),
    userTunnelCredit: tunnelCredit,
    userCreditRate: rate,
    renewal,
  }
}

export async function debtOf(ctx: Context, caller: Caller) {
  const { debtCents, debtLimitCents } = await walletOfCaller(ctx, caller)
  return {
    userDebt: dollars(debtCents),
    userDebtLimit: dollars(debtLimitCents),
    userDebtLeft: dollars(Math.max(debtLimitCents - debtCents, 0)),
  }
}
