import { type AnyAccount, getUsers, type User, type UserDetail } from '@kelid/contract'
import { anAccount } from './accounts.ts'
import { answer } from './answers.ts'

export const aUser = (change: Partial<User> = {}): User => ({
  userEmail: 'sara@kelid.test',
  userPhone: null,
  userLevel: 1,
  userCredit: 1_200,
  userCreditDollars: 12,
  userTunnelCredit: 40,
  userDebt: 0,
  userDebtLimit: 25,
  userDebtSince: null,
  userCreditRate: 100,
  userCustomCreditRate: null,
  userCreatedDate: '2026-01-10T08:00:00.000Z',
  userSuspended: false,
  accounts: 3,
  ...change,
})

export const aUserDetail = (change: Partial<UserDetail> = {}): UserDetail => ({
  ...aUser(),
  userContact: '',
  userSuspendedDate: null,
  userSuspendedReason: '',
  userAccountsClosed: false,
  userLastSeenDate: '2026-11-01T08:00:00.000Z',
  accountsByState: { active: 2, limited: 0, disabled: 1, expired: 0, abused: 0, expiring: 1, lowData: 0 },
  ...change,
})

export function anyonesAccount(change: Partial<AnyAccount> = {}): AnyAccount {
  const { accountQRString: _, accountSubscriptionPath: __, accountWays: ___, ...account } = anAccount()
  return {
    ...account,
    userEmail: 'sara@kelid.test',
    serverUUID: '22222222-2222-4222-8222-222222222222',
    serverName: 'nl-1',
    tunnelUUID: '33333333-3333-4333-8333-333333333333',
    tunnelName: 'teh-1',
    accountClosedBySuspension: false,
    ...change,
  }
}

export const answerUsers = (items: readonly User[], total = items.length): void =>
  answer(getUsers, () => ({ items, nextCursor: null, total }))
