import type { bulkRefusals, bulkRenewal, Settings } from '@kelid/contract'
import type * as z from 'zod/mini'
import { dollars, worthOf } from '../../lib/money.ts'
import type { Payment } from '../credit/credit.ts'
import { type Cost, priceOf, settle, type Wallet } from '../credit/money.ts'
import type { RenewableAccount } from './accounts.store.ts'
import type { DataLimit } from './data-limits.store.ts'
import { beginOf, daysLeft } from './renewal.ts'
import { chargedOf, type Renewed, renewVolume } from './volume.ts'

export type BulkRefusal = (typeof bulkRefusals)[number]

interface Renewal extends Renewed {
  readonly account: RenewableAccount
  readonly payment: Payment
}
interface RefusedRenewal {
  readonly refusal: BulkRefusal
}

export interface BulkPlan {
  readonly cost: Cost
  readonly lentCents: number
  readonly after: Wallet
  readonly each: readonly (readonly [accountUUID: string, Renewal | RefusedRenewal])[]
}

export const isRenewal = (one: Renewal | RefusedRenewal): one is Renewal => !('refusal' in one)

interface Renewals {
  readonly uuids: readonly string[]
  readonly accounts: readonly RenewableAccount[]
  readonly limits: ReadonlyMap<string, DataLimit>
  /** May not be renewed without a plan. */
  readonly planOnly: ReadonlySet<string>
  readonly days: number
  /** For each account that has a limit. */
  readonly gigabytes: number
}

/** Plans the renewals in turn: each is paid from the rest of the balance, or refused and skipped. */
export function planRenewals(
  before: Wallet,
  settings: Settings,
  { uuids, accounts, limits, planOnly, days, gigabytes }: Renewals,
  now: Date,
): BulkPlan {
  const byUUID = new Map(accounts.map((account) => [account.uuid, account]))
  let after = before
  const planOf = (uuid: string): Renewal | RefusedRenewal => {
    const account = byUUID.get(uuid)
    if (!account) return { refusal: 'RESOURCE_NOT_FOUND' }
    if (account.abused) return { refusal: 'ACCOUNT_ABUSED' }
    if (planOnly.has(uuid)) return { refusal: 'PLAN_REQUIRED' }
    const data = limits.get(uuid)
    const added = data ? gigabytes : 0
    const outcome = renewVolume(settings, account, data, { days, gigabytes: added }, now)
    if (outcome.isTooFar) return { refusal: 'EXPIRY_TOO_FAR' }
    const cost = priceOf(settings, outcome.priced, chargedOf(outcome))
    const { lentPoints, lentCents, refusal, after: remaining } = settle(after, cost)
    if (refusal) return { refusal: refusal.type as BulkRefusal }
    after = remaining
    return { ...outcome, account, payment: { cost, lentPoints, lentCents } }
  }
  const each = uuids.map((uuid) => [uuid, planOf(uuid)] as const)
  const payments = each.flatMap(([, one]) => (isRenewal(one) ? [one.payment] : []))
  const sum = (of: (payment: Payment) => number) => payments.reduce((total, one) => total + of(one), 0)
  return {
    cost: { points: sum(({ cost }) => cost.points), tunnelCredit: sum(({ cost }) => cost.tunnelCredit) },
    lentCents: sum(({ lentCents }) => lentCents),
    after,
    each,
  }
}

export function toBulkRenewal(
  { cost, lentCents, after, each }: BulkPlan,
  { renewal }: Settings,
  now: Date,
): z.input<typeof bulkRenewal> {
  const accounts = each.map(([accountUUID, one]) => toResult(accountUUID, one, now))
  return {
    quotePoints: cost.points,
    quoteDollars: worthOf(cost.points, after.rate),
    quoteTunnelCredit: cost.tunnelCredit,
    quoteDebt: dollars(lentCents),
    quoteRenewal: renewal,
    quoteDaysLost: accounts.reduce((total, { quoteDaysLost }) => total + quoteDaysLost, 0),
    userCreditAfter: after.points,
    userCreditDollarsAfter: worthOf(after.points, after.rate),
    userTunnelCreditAfter: after.tunnelCredit,
    userDebtAfter: dollars(after.debtCents),
    accounts,
  }
}

const toResult = (accountUUID: string, one: Renewal | RefusedRenewal, now: Date) =>
  isRenewal(one)
    ? {
        accountUUID,
        accountRefusal: null,
        quotePoints: one.payment.cost.points,
        quoteTunnelCredit: one.payment.cost.tunnelCredit,
        quoteDaysLost: one.lostDays,
        accountDurationAfter: daysLeft(one.expires, beginOf(one, now)),
        accountExpireDate: one.expires.toISOString(),
      }
    : {
        accountUUID,
        accountRefusal: one.refusal,
        quotePoints: 0,
        quoteTunnelCredit: 0,
        quoteDaysLost: 0,
        accountDurationAfter: null,
        accountExpireDate: null,
      }
