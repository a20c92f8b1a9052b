import { type Account, type Envelope, getUserAccounts, wrap } from '@kelid/contract'
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

/**
 * A fake: the browser sees as many accounts as wanted, in the contract's shape; the server has none of them. Answered in the
 * page itself, because two hundred pages by way of the test would take longer than all the rest.
 */
export async function fakeAccounts(page: Page, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => account(n))
  const empty = wrap(getUserAccounts, { items: [], total: 0, nextCursor: null })
  await page.addInitScript(answerInPage, { path: getUserAccounts.path, all, empty })
}

interface Given {
  readonly path: string
  readonly all: readonly Account[]
  readonly empty: Envelope
}

/** Runs in the page, before anything of its own. */
function answerInPage({ path, all, empty }: Given): void {
  const { fetch: real } = window
  window.fetch = async (input, init) => {
    if (!String(input).endsWith(path)) return real(input, init)
    const { search, state, sort = '', cursor, limit = all.length } = JSON.parse(String(init?.body))
    const found = all.filter(
      ({ accountName, accountState }) =>
        (!search || accountName.includes(search)) && (!state || accountState === state),
    )
    if (sort.startsWith('-')) found.reverse()
    const from = Number(cursor ?? 0)
    const end = from + limit
    const response = {
      ...empty.response,
      detailedResponse: found.slice(from, end),
      total: found.length,
      nextCursor: end < found.length ? String(end) : null,
    }
    return new Response(JSON.stringify({ response }))
  }
}
