import { day, Refusal, type Renewal, type Settings } from '@kelid/contract'

/** accountDuration: what remains, in days, the begun one counted. */
export const daysLeft = (expires: Date | number, now: Date): number =>
  Math.max(0, Math.ceil((Number(expires) - now.getTime()) / day))

const later = (from: Date, days: number) => new Date(from.getTime() + days * day)

export interface Outcome {
  readonly expires: Date
  readonly chargedDays: number
  readonly lostDays: number
}

/**
 * extend: the days come on top of what remains, and all are charged.
 * replace: the days become what remains, and only those above it are charged. Whoever enters as many as they have
 * keeps the exact moment of expiry: a begun day is never rounded up into a free one.
 */
export function renew(renewal: Renewal, expires: Date, days: number, now: Date): Outcome {
  const base = expires > now ? expires : now
  if (renewal === 'extend') return { expires: later(base, days), chargedDays: days, lostDays: 0 }
  const left = daysLeft(expires, now)
  if (days < left) return { expires: later(now, days), chargedDays: 0, lostDays: left - days }
  return { expires: later(base, days - left), chargedDays: days - left, lostDays: 0 }
}

/** Whoever was told that days are added must not lose them to a rule that has changed since. */
export function requireQuotedRule(
  { quotedRenewal }: { quotedRenewal?: Renewal | undefined },
  { renewal }: Settings,
): void {
  if (quotedRenewal !== undefined && quotedRenewal !== renewal) throw new Refusal('QUOTE_CHANGED')
}
