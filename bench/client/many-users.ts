import { getUsers, type User } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { aUser } from '../../apps/web/test/users.ts'
import { fakeCrowd } from './crowd.ts'

const user = (n: number): User =>
  aUser({
    userEmail: `reseller.${String(n).padStart(5, '0')}@kelid.test`,
    userCredit: n * 10,
    userCreditDollars: n / 10,
    userDebt: n % 3 === 0 ? n / 4 : 0,
    userDebtSince: n % 3 === 0 ? '2026-10-01T08:00:00.000Z' : null,
    userSuspended: n % 50 === 0,
    accounts: n % 200,
  })

/** As many users as wanted, in the order of their e-mails or the reverse, searched by them. */
export const fakeUsers = (page: Page, count: number): Promise<void> =>
  fakeCrowd(
    page,
    getUsers,
    Array.from({ length: count }, (_, n) => user(n)),
    {
      searched: 'userEmail',
      narrowed: 'userSuspended',
      by: 'filter',
    },
  )
