import type { AccountState, Renewal, TunnelType, VpnType } from '@kelid/contract'

/** The VPN types that the model sells. */
export const soldTypes = ['trojan', 'hysteria2-direct'] as const satisfies readonly VpnType[]
export type SoldType = (typeof soldTypes)[number]

/** The rules of the house as product.md has them, written a second time and without any concurrency. */
export interface House {
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

export const rateOf = (user: ModelUser, house: House): number => user.customRate ?? house.defaultCreditRate

export interface Bill {
  readonly points: number
  readonly tunnelCredit: number
  readonly newDebtCents: number
  readonly refusal: { errorType: string; missing: number } | null
}

/** What so many days would cost this user now, and whether they may have them. */
export function bill(user: ModelUser, house: House, vpnType: VpnType, days: number): Bill {
  const points = house.pointsPerDay[vpnType] * days
  const tunnelCredit = vpnType === 'trojan' ? house.tunnelCreditPerDay * days : 0
  const short = points > user.points ? points - user.points : 0
  let newDebtCents = 0
  while (newDebtCents * rateOf(user, house) < short * 100) newDebtCents += 1
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
  house: House,
  days: number,
): { paidDays: number; expires: number } {
  const left = Math.max(0, account.expires - house.now)
  if (house.renewal === 'extend') return { paidDays: days, expires: house.now + left + days * dayMs }
  const daysLeft = wholeDaysLeft(account.expires, house.now)
  if (days < daysLeft) return { paidDays: 0, expires: house.now + days * dayMs }
  const paidDays = days - daysLeft
  return { paidDays, expires: house.now + left + paidDays * dayMs }
}

export const expiresAfter = (house: House, days: number): number => house.now + days * dayMs

export const stateOf = ({ isEnabled, expires }: ModelAccount, now: number): AccountState =>
  isEnabled ? (expires <= now ? 'expired' : 'active') : 'disabled'
