import {
  type AccountUsage,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  type quoteAccount,
  type Result,
  type SentAccount,
} from '@kelid/contract'
import { answer } from './answers.ts'
import { netherlands } from './hosts.ts'

export const anAccount = (change: Partial<SentAccount> = {}): SentAccount => ({
  accountUUID: '11111111-1111-4111-8111-111111111111',
  accountName: 'ali_phone',
  accountVPNType: 'trojan',
  accountTunnelEnabled: true,
  accountTunnelType: 'ssh',
  accountDuration: 12,
  accountExpireDate: '2027-01-10T08:00:00.000Z',
  accountCreatedDate: '2026-12-01T08:00:00.000Z',
  accountEnabled: true,
  accountAbuse: false,
  accountAbuseEvidence: null,
  accountAbuseClearableDate: null,
  accountRefusedDevices: null,
  accountMaxDevices: null,
  accountSpeedLimit: null,
  accountDataLimit: null,
  accountDataUsed: 0,
  accountDataReset: 'none',
  accountDataResetDate: null,
  accountStart: 'now',
  accountStartBy: null,
  accountFirstUseDate: null,
  accountPlan: null,
  accountState: 'active',
  accountApplied: 'unreported',
  usageTotal: { up: 0, down: 0 },
  accountOnline: false,
  accountLastSeenDate: null,
  accountQRString: 'trojan://secret@198.51.100.6:443?security=tls&sni=nl1.example.com#ali_phone',
  accountSubscriptionPath: '/sub/abcdef',
  server: { country: netherlands },
  ...change,
})

export const aUsage = (change: Partial<AccountUsage> = {}): AccountUsage => ({
  accountUUID: anAccount().accountUUID,
  usageByDay: Array.from({ length: 30 }, (_, n) => ({
    day: new Date(Date.UTC(2026, 9, 18 + n)).toISOString().slice(0, 10),
    up: n * 1_000_000,
    down: n * 49_000_000,
  })),
  usageTotal: { up: 1_000_000_000, down: 99_000_000_000 },
  accountOnline: false,
  accountLastSeenDate: '2020-12-20T10:00:00.000Z',
  accountApplied: 'applied',
  accountAppliedMs: 412,
  ...change,
})

export const manyAccounts = (count: number): SentAccount[] =>
  Array.from({ length: count }, (_, n) =>
    anAccount({
      accountUUID: `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`,
      accountName: `customer_${n}`,
    }),
  )

type Quote = Result<(typeof quoteAccount)['output']>

export const aQuote = (change: Partial<Quote> = {}): Quote => ({
  quotePoints: 300,
  quoteDollars: 3,
  quoteTunnelCredit: 30,
  quoteDebt: 0,
  quoteRenewal: null,
  quoteDaysLost: 0,
  userCreditAfter: 700,
  userCreditDollarsAfter: 7,
  userTunnelCreditAfter: 70,
  userDebtAfter: 0,
  accountDurationAfter: 30,
  accountExpireDate: '2027-02-09T08:00:00.000Z',
  accountDataLimitAfter: null,
  accountDataLeftAfter: null,
  accountStartBy: null,
  quoteRefusal: null,
  ...change,
})

export const answerAccounts = (items: readonly SentAccount[]): void =>
  answer(getUserAccounts, () => ({ items, nextCursor: null, total: items.length }))

export function answerBalances(userCredit = 1000): void {
  answer(getUserCredit, () => ({
    userCredit,
    userCreditDollars: userCredit / 100,
    userTunnelCredit: 100,
    userCreditRate: 100,
    renewal: 'extend' as const,
  }))
  answer(getUserDebt, () => ({ userDebt: 0, userDebtLimit: 0, userDebtLeft: 0 }))
}
