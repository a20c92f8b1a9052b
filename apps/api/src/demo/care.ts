import { giftDays } from '@kelid/contract'
import { findAnyAccounts } from '../features/accounts/any-account.ts'
import { giveDays } from '../features/accounts/any-account-acts.ts'
import { adjustDebt } from '../features/credit/adjustments.ts'
import { setSuspended } from '../features/user-admin/suspension.ts'
import { setPhone } from '../features/users/users.ts'
import { resellers } from './people.ts'
import { common, type Stage, type Step } from './stage.ts'

export function careOf(stage: Stage): Step[] {
  const { ctx, by } = stage
  const owes = (userEmail: string, amount: number, reason: string) =>
    adjustDebt(ctx, by, { userEmail, amount, reason })
  const phone = (userEmail: string, userPhone: string) => setPhone(ctx, by, { userEmail, userPhone })
  const suspend = (userEmail: string) => {
    const reason = 'debt unpaid, no answer to three messages'
    return setSuspended(ctx, by, { ...common, userEmail, userSuspended: true, closeAccounts: true, reason })
  }
  return [
    [180, () => phone('reza.karimi@example.com', '09120000101')],
    [90, () => phone('kian.tehrani@example.net', '09120000102')],
    [75, () => owes('sina_ahmadi@example.net', 42.5, 'invoice of the first quarter')],
    [20, () => owes('kian.tehrani@example.net', 18, 'package on credit')],
    ...resellers.flatMap(({ email, suspended }): Step[] =>
      suspended ? [[suspended, () => suspend(email)]] : [],
    ),
    [2, () => giveWeek(stage, 'mahsa.vpn@example.com', 'sorry for a night without service')],
  ]
}

async function giveWeek({ ctx, by }: Stage, userEmail: string, reason: string): Promise<void> {
  const { items } = await findAnyAccounts(ctx, { ...common, userEmail, state: 'active', limit: 1 }, 'en')
  for (const { accountUUID } of items) {
    const input = { ...common, accountUUID, accountDuration: 7, reason }
    await giveDays(ctx, by, input, { userId: 0, key: null, call: giftDays, input }, 'en')
  }
}
