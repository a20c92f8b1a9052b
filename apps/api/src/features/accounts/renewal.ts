import { day, limits, Refusal, type Renewal, type Settings } from '@kelid/contract'

/** accountDuration: what remains, in days, the begun one counted. */
export const daysLeft = (expires: Date | number, now: Date): number =>
  Math.max(0, Math.ceil((Number(expires) - now.getTime()) / day))

const later = (from: Date, days: number) => new Date(from.getTime() + days * day)

export interface Outcome {
  readonly expires: Date
  readonly chargedDays: number
  readonly lostDays: number
  readonly isTooFar: boolean
}

/** Dates further ahead than anybody sells are refused, before years of five digits break lists and files. */
const isTooFar = (expires: Date, now: Date): boolean => expires > later(now, limits.expiryDaysMax)

export const expiryTooFar = () => new Refusal('EXPIRY_TOO_FAR', { days: limits.expiryDaysMax })

/**
 * extend: the days come on top of what remains, and all are charged.
 * replace: the days become what remains, and only those above it are charged. Whoever enters as many as they have
 * keeps the exact moment of expiry: a begun day is never rounded up into a free one.
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
  const left = daysLeft(expires, now)
  if (days < left) return outcome(later(now, days), 0, left - days)
  return outcome(later(base, days - left), days - left)
}

/** Whoever was told that days are added must not lose them to a rule that has changed since. */
export function requireQuotedRule(
  { quotedRenewal }: { quotedRenewal?: Renewal | undefined },
  { renewal }: Settings,
): void {
  if (quotedRenewal !== undefined && quotedRenewal !== renewal) throw new Refusal('QUOTE_CHANGED')
}
