import { giftDays } from '@kelid/contract'
import type { Context } from '../context.ts'
import { listAnyones } from '../features/accounts/any-account.ts'
import { giveDays } from '../features/accounts/any-account-acts.ts'
import type { By } from '../features/audit/audit.ts'
import { adjustDebt } from '../features/credit/adjustments.ts'
import { setSuspended } from '../features/user-admin/suspension.ts'
import { setPhone } from '../features/users/users.ts'
import { resellers } from './people.ts'

const common = { client: 'demo', clientVersion: '1.0', lng: 'en' } as const

/** What the administrators did for single people, and when: phones, open invoices, a suspension, a gift. */
export function careOf(ctx: Context, by: By): { ago: number; run: () => Promise<unknown> }[] {
  const owes = (userEmail: string, amount: number, reason: string) =>
    adjustDebt(ctx, by, { userEmail, amount, reason })
  const phone = (userEmail: string, userPhone: string) => setPhone(ctx, by, { userEmail, userPhone })
  return [
    { ago: 180, run: () => phone('reza.karimi@example.com', '09120000101') },
    { ago: 90, run: () => phone('kian.tehrani@example.net', '09120000102') },
    { ago: 75, run: () => owes('sina_ahmadi@example.net', 42.5, 'invoice of the first quarter') },
    { ago: 20, run: () => owes('kian.tehrani@example.net', 18, 'package on credit') },
    ...resellers.flatMap(({ email: userEmail, suspended: ago = 0 }) => {
      const reason = 'debt unpaid, no answer to three messages'
      const input = { ...common, userEmail, userSuspended: true, closeAccounts: true, reason }
      return ago > 0 ? [{ ago, run: () => setSuspended(ctx, by, input) }] : []
    }),
    { ago: 2, run: () => giveTo(ctx, by, 'mahsa.vpn@example.com', 'sorry for a night without service') },
  ]
}

/** A week for the newest account of somebody who has one. */
async function giveTo(ctx: Context, by: By, userEmail: string, reason: string): Promise<void> {
  const { items } = await listAnyones(ctx, { ...common, userEmail, state: 'active', limit: 1 }, 'en')
  for (const { accountUUID } of items) {
    const input = { ...common, accountUUID, accountDuration: 7, reason }
    await giveDays(ctx, by, input, { userId: 0, key: null, call: giftDays, input }, 'en')
  }
}
