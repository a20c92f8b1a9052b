import { type Account, getUserAccounts, wrap } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { anAccount } from '../../apps/web/test/accounts.ts'

const states = ['active', 'active', 'active', 'disabled', 'expired', 'abused'] as const

const account = (n: number): Account => {
  const accountState = states[n % states.length] ?? 'active'
  return anAccount({
    accountUUID: `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`,
    accountName: `customer_${n}`,
    accountVPNType: n % 2 === 0 ? 'trojan' : 'hysteria2-direct',
    accountDuration: accountState === 'expired' ? 0 : (n % 364) + 1,
    accountEnabled: accountState !== 'disabled',
    accountAbuse: accountState === 'abused',
    accountState,
  })
}

/** A fake: the browser sees as many accounts as wanted, in the contract's shape; the server has none of them. */
export async function fakeAccounts(page: Page, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => account(n))
  await page.route(`**${getUserAccounts.path}`, (route) => {
    const { search, state, sort = '', cursor, limit = count } = route.request().postDataJSON()
    const found = all.filter(
      ({ accountName, accountState }) =>
        (!search || accountName.includes(search)) && (!state || accountState === state),
    )
    if (sort.startsWith('-')) found.reverse()
    const from = Number(cursor ?? 0)
    const end = from + limit
    const answer = {
      items: found.slice(from, end),
      total: found.length,
      nextCursor: end < found.length ? String(end) : null,
    }
    return route.fulfill({ json: wrap(getUserAccounts, answer) })
  })
}
