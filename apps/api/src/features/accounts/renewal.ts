import { day, limits, Refusal, type Renewal, type Settings } from '@kelid/contract'
import type { LockedAccount } from './accounts.store.ts'

/** accountDuration: remaining days, a started day counted as one. */
export const daysLeft = (expires: Date | number, now: Date): number =>
  Math.max(0, Math.ceil((Number(expires) - now.getTime()) / day))

/** Days that begin at first use wait until then, or until they begin by themselves. */
export const isWaiting = ({ starts_by }: Pick<LockedAccount, 'starts_by'>, now: Date): boolean =>
  starts_by !== null && starts_by > now

/** The moment from which the days of an account count: now, or the latest beginning of days that wait. */
export const beginOf = (account: Pick<LockedAccount, 'starts_by'>, now: Date): Date =>
  isWaiting(account, now) && account.starts_by ? account.starts_by : now

const later = (from: Date, days: number) => new Date(from.getTime() + days * day)

export interface Outcome {
  readonly expires: Date
  readonly chargedDays: number
  readonly lostDays: number
  readonly isTooFar: boolean
}

/** Later dates would have five-digit years, which break lists and files. */
const isTooFar = (expires: Date, now: Date): boolean => expires > later(now, limits.expiryDaysMax)

export const expiryTooFar = () => new Refusal('EXPIRY_TOO_FAR', { days: limits.expiryDaysMax })

/**
 * extend: adds the days to what remains and charges all of them. replace: sets what remains to the days and charges
 * only the difference. The same number of days keeps the exact expiry date, so a started day is never rounded up for
 * free.
 */
export function renew(renewal: Renewal, expires: Date, days: number, now: Date): Outcome {
  const base = expires > now ? expires : now
  const outcome = (until: Date, chargedDays: number, lostDays = 0): Outcome => ({
    expires: until,
    chargedDays,
    lostDays,
    isTooFar: isTooFar(until, now),
  })
  if (renewal === 'extend') return outcome(later(base, days), days)
  const remainingDays = daysLeft(expires, now)
  if (days < remainingDays) return outcome(later(now, days), 0, remainingDays - days)
  return outcome(later(base, days - remainingDays), days - remainingDays)
}

/** The rule may have changed since the quote; "replace" would then discard the customer's remaining days. */
export function requireQuotedRule(
  { quotedRenewal }: { quotedRenewal?: Renewal | undefined },
  { renewal }: Settings,
): void {
  if (quotedRenewal !== undefined && quotedRenewal !== renewal) throw new Refusal('QUOTE_CHANGED')
}
