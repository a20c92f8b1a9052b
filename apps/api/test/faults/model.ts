import type { AccountState, Renewal, TunnelType, VpnType } from '@kelid/contract'

/** The VPN types that the model sells. */
export const soldTypes = ['trojan', 'hysteria2-direct'] as const satisfies readonly VpnType[]
export type SoldType = (typeof soldTypes)[number]

/** The settings and the time. The functions below repeat the rules of product.md without any concurrency. */
export interface Rules {
  now: number
  renewal: Renewal
  defaultCreditRate: number
  pointsPerDay: Record<VpnType, number>
  tunnelCreditPerDay: number
}

export interface ModelAccount {
  readonly uuid: string
  readonly vpnType: SoldType
  expires: number
  isEnabled: boolean
  isExpiryNoted: boolean
}

export interface ModelUser {
  points: number
  tunnelCredit: number
  debtCents: number
  debtLimitCents: number
  customRate: number | null
  readonly accounts: Map<string, ModelAccount>
}

export const newModelUser = (points: number, tunnelCredit: number): ModelUser => ({
  points,
  tunnelCredit,
  debtCents: 0,
  debtLimitCents: 0,
  customRate: null,
  accounts: new Map(),
})

const dayMs = 24 * 60 * 60 * 1_000

export const wholeDaysLeft = (expires: number, now: number): number =>
  expires <= now ? 0 : Math.floor((expires - now + dayMs - 1) / dayMs)

export const tunnelOf = (vpnType: VpnType): TunnelType | '' => (vpnType === 'trojan' ? 'wstunnel' : '')

export const rateOf = (user: ModelUser, rules: Rules): number => user.customRate ?? rules.defaultCreditRate

export interface Bill {
  readonly points: number
  readonly tunnelCredit: number
  readonly newDebtCents: number
  readonly refusal: { errorType: string; missing: number } | null
}

/** What so many days would cost this user now, and whether they may have them. */
export function bill(user: ModelUser, rules: Rules, vpnType: VpnType, days: number): Bill {
  const points = rules.pointsPerDay[vpnType] * days
  const tunnelCredit = vpnType === 'trojan' ? rules.tunnelCreditPerDay * days : 0
  const short = points > user.points ? points - user.points : 0
  let newDebtCents = 0
  while (newDebtCents * rateOf(user, rules) < short * 100) newDebtCents += 1
  const isOverLimit = short > 0 && user.debtCents + newDebtCents > user.debtLimitCents
  const tunnelShort = tunnelCredit - user.tunnelCredit
  const refusal =
    tunnelShort > 0
      ? { errorType: 'INSUFFICIENT_TUNNEL_CREDIT', missing: tunnelShort }
      : isOverLimit
        ? { errorType: 'INSUFFICIENT_CREDIT', missing: short }
        : null
  return { points, tunnelCredit, newDebtCents, refusal }
}

export function pay(user: ModelUser, { points, tunnelCredit, newDebtCents }: Bill): void {
  user.points = Math.max(0, user.points - points)
  user.tunnelCredit -= tunnelCredit
  user.debtCents += newDebtCents
}

/** How many days a renewal charges for, and when the account ends after it. */
export function renewal(
  account: ModelAccount,
  rules: Rules,
  days: number,
): { paidDays: number; expires: number } {
  const left = Math.max(0, account.expires - rules.now)
  if (rules.renewal === 'extend') return { paidDays: days, expires: rules.now + left + days * dayMs }
  const daysLeft = wholeDaysLeft(account.expires, rules.now)
  if (days < daysLeft) return { paidDays: 0, expires: rules.now + days * dayMs }
  const paidDays = days - daysLeft
  return { paidDays, expires: rules.now + left + paidDays * dayMs }
}

export const expiresAfter = (rules: Rules, days: number): number => rules.now + days * dayMs

export const stateOf = ({ isEnabled, expires }: ModelAccount, now: number): AccountState =>
  isEnabled ? (expires <= now ? 'expired' : 'active') : 'disabled'
