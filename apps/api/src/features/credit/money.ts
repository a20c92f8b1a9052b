import type { RefusalType, Settings, TunnelType, VpnType } from '@kelid/contract'

export interface Wallet {
  readonly points: number
  readonly tunnelCredit: number
  readonly debtCents: number
  readonly debtLimitCents: number
  readonly rate: number
}

export interface Cost {
  readonly points: number
  readonly tunnelCredit: number
}

/** Far below 2^53, so that no sum or product loses precision. */
export const maxBalance = 1_000_000_000_000

export const debtFor = (points: number, rate: number): number => Math.ceil((points * 100) / rate)

export interface Priced {
  readonly vpnType: VpnType
  readonly tunnelType: TunnelType | ''
  /** Beside the first. */
  readonly chosenWays?: number
  /** Above the default. */
  readonly extraDevices?: number
}

const pointsPerDay = (settings: Settings, { vpnType, chosenWays = 0, extraDevices = 0 }: Priced): number =>
  settings.pointsPerDay[vpnType] +
  settings.pointsPerDayOfWay * chosenWays +
  settings.pointsPerDayOfDevice * extraDevices

export const priceOf = (
  settings: Settings,
  priced: Priced,
  { days, gigabytes }: { days: number; gigabytes: number },
): Cost => ({
  points: pointsPerDay(settings, priced) * days + settings.pointsPerGB[priced.vpnType] * gigabytes,
  tunnelCredit: priced.tunnelType === '' ? 0 : settings.tunnelCreditPerDay * days,
})

export interface Settlement {
  readonly after: Wallet
  readonly lentPoints: number
  readonly lentCents: number
  readonly refusal: { readonly type: RefusalType; readonly missing: number } | null
}

/** A refused settlement says what is missing and leaves the wallet unchanged. */
export function settle(wallet: Wallet, cost: Cost): Settlement {
  const refuse = (type: RefusalType, missing: number): Settlement => ({
    after: wallet,
    lentPoints: 0,
    lentCents: 0,
    refusal: { type, missing },
  })
  if (cost.tunnelCredit > wallet.tunnelCredit)
    return refuse('INSUFFICIENT_TUNNEL_CREDIT', cost.tunnelCredit - wallet.tunnelCredit)
  const lentPoints = Math.max(0, cost.points - wallet.points)
  const lentCents = debtFor(lentPoints, wallet.rate)
  const debtCents = wallet.debtCents + lentCents
  if (lentPoints > 0 && debtCents > wallet.debtLimitCents) return refuse('INSUFFICIENT_CREDIT', lentPoints)
  return {
    after: {
      ...wallet,
      points: wallet.points + lentPoints - cost.points,
      tunnelCredit: wallet.tunnelCredit - cost.tunnelCredit,
      debtCents,
    },
    lentPoints,
    lentCents,
    refusal: null,
  }
}
