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
  pointsPerGB: Record<VpnType, number>
  pointsPerDayOfDevice: number
  maxDevices: number
  firstUseWaitDays: number
  tunnelCreditPerDay: number
  customAccounts: boolean
  /** Those of one sequence; they change only between the steps. */
  plans: ModelPlan[]
}

export interface ModelPlan {
  readonly uuid: string
  readonly vpnType: SoldType
  days: number
  readonly gigabytes: number | null
  readonly isMonthly: boolean
  readonly waits: boolean
  readonly devices: number | null
  points: number
  tunnelCredit: number
  isActive: boolean
  revision: number
}

/** What a buyer wants beside the days. */
export interface Wanted {
  readonly days: number
  readonly gigabytes: number | null
  readonly isMonthly: boolean
  readonly waits: boolean
  readonly devices: number | null
}

export interface ModelAccount {
  readonly uuid: string
  readonly vpnType: SoldType
  expires: number
  /** Days that wait for the first use begin then at the latest. */
  readonly startsBy: number | null
  /** GB of the present period, and of each one; null: no limit. */
  gigabytes: number | null
  readonly monthly: number | null
  periodBegan: number
  readonly extraDevices: number
  /** The plan that sold it, and its devices; null: none. */
  plan: { readonly uuid: string; readonly devices: number | null } | null
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

/** What is charged. */
export interface Charged {
  readonly days: number
  readonly gigabytes: number
  readonly extraDevices: number
}

/** What it would cost this user now, and whether they may have it. */
export function bill(
  user: ModelUser,
  rules: Rules,
  vpnType: VpnType,
  { days, gigabytes, extraDevices }: Charged,
): Bill {
  const points =
    days * (rules.pointsPerDay[vpnType] + extraDevices * rules.pointsPerDayOfDevice) +
    gigabytes * rules.pointsPerGB[vpnType]
  const tunnelCredit = vpnType === 'trojan' ? rules.tunnelCreditPerDay * days : 0
  return billOf(user, rules, { points, tunnelCredit })
}

export function billOf(
  user: ModelUser,
  rules: Rules,
  { points, tunnelCredit }: { points: number; tunnelCredit: number },
): Bill {
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

const periodMs = 30 * dayMs

/** Beginnings of periods from the first one until an account ends. */
function periodsBetween(began: number, expires: number): number {
  let count = 0
  for (let at = began; at < expires; at += periodMs) count += 1
  return count
}

/** When the days of an account begin to count. */
export const begins = ({ startsBy }: Pick<ModelAccount, 'startsBy'>, now: number): number =>
  startsBy !== null && startsBy > now ? startsBy : now

export function creation(rules: Rules, { days, gigabytes, isMonthly, waits, devices }: Wanted) {
  const startsBy = waits ? rules.now + rules.firstUseWaitDays * dayMs : null
  const begin = startsBy ?? rules.now
  const expires = begin + days * dayMs
  const extraDevices = devices === null ? 0 : Math.max(0, devices - rules.maxDevices)
  const periods = isMonthly ? periodsBetween(begin, expires) : 1
  return {
    charged: { days, gigabytes: (gigabytes ?? 0) * periods, extraDevices },
    account: {
      ...{ expires, startsBy, gigabytes, extraDevices, periodBegan: begin },
      monthly: isMonthly ? gigabytes : null,
    },
  }
}

/** What a renewal charges for, and what becomes of the account. */
export function renewal(account: ModelAccount, rules: Rules, days: number, gigabytes: number) {
  const from = begins(account, rules.now)
  const left = Math.max(0, account.expires - from)
  const daysLeft = wholeDaysLeft(account.expires, from)
  const isLonger = rules.renewal === 'extend' || days >= daysLeft
  const paidDays = rules.renewal === 'extend' ? days : Math.max(0, days - daysLeft)
  const expires = isLonger ? from + left + paidDays * dayMs : from + days * dayMs
  const isOver = account.expires <= rules.now
  const isNewPeriod = isOver && account.monthly !== null
  const periodBegan = isNewPeriod ? rules.now : account.periodBegan
  const paidPeriods = isOver ? 0 : periodsBetween(periodBegan, account.expires)
  const newPeriods = Math.max(0, periodsBetween(periodBegan, expires) - paidPeriods)
  const before = isNewPeriod ? account.monthly : account.gigabytes
  return {
    charged: {
      days: paidDays,
      gigabytes: gigabytes + newPeriods * (account.monthly ?? 0),
      extraDevices: account.extraDevices,
    },
    change: { expires, periodBegan, gigabytes: before === null ? null : before + gigabytes },
  }
}

/** Periods that have ended make way for the next one. */
export function beginPeriod(account: ModelAccount, now: number): void {
  if (account.monthly === null || account.expires <= now) return
  if (account.periodBegan + periodMs > now) return
  while (account.periodBegan + periodMs <= now) account.periodBegan += periodMs
  account.gigabytes = account.monthly
}

export const stateOf = ({ isEnabled, expires }: ModelAccount, now: number): AccountState =>
  isEnabled ? (expires <= now ? 'expired' : 'active') : 'disabled'

/** Plans that a reseller may renew this account by. */
export const plansFor = (account: ModelAccount, rules: Rules): ModelPlan[] =>
  rules.plans.filter((plan) => plan.isActive && isFor(plan, account, rules))

export function isFor(plan: ModelPlan, account: ModelAccount, rules: Rules): boolean {
  const devices = plan.devices ?? rules.maxDevices
  const hasDevices = account.plan
    ? (account.plan.devices ?? rules.maxDevices) === devices
    : account.extraDevices === Math.max(0, devices - rules.maxDevices)
  const hasData =
    plan.gigabytes === null || account.gigabytes === null
      ? plan.gigabytes === account.gigabytes
      : plan.isMonthly
        ? account.monthly === plan.gigabytes
        : account.monthly === null
  return plan.vpnType === account.vpnType && hasDevices && hasData
}
