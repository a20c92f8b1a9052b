import { type Account, getUserAccounts } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { anAccount } from '../../apps/web/test/accounts.ts'
import { fakeCrowd } from './crowd.ts'

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

/** As many accounts as wanted, searched by name and narrowed by state. */
export const fakeAccounts = (page: Page, count: number): Promise<void> =>
  fakeCrowd(
    page,
    getUserAccounts,
    Array.from({ length: count }, (_, n) => account(n)),
    {
      searched: 'accountName',
      narrowed: 'accountState',
      by: 'state',
    },
  )
