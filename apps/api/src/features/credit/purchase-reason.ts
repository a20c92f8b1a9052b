import { isVpnType, type VpnType } from '@kelid/contract'

export interface Bought {
  days: number
  vpnType: VpnType
  /** Ways that were chosen beside the first. */
  chosenWays: number
}

export const reasonOf = ({ days, vpnType, chosenWays }: Bought): string =>
  `${days} days of ${vpnType}${chosenWays > 0 ? ` and ${chosenWays} further ways` : ''}`

export function boughtBy(reason: string): Bought | null {
  const [, days, vpnType = '', ways = 0] =
    /^(\d{1,5}) days of ([\w-]+)(?: and (\d) further ways)?$/.exec(reason) ?? []
  return isVpnType(vpnType) ? { days: Number(days), vpnType, chosenWays: Number(ways) } : null
}
