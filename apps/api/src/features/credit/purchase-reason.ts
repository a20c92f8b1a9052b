import { isVpnType, type VpnType } from '@kelid/contract'

export interface Bought {
  days: number
  vpnType: VpnType
}

/** What the ledger keeps of a purchase, as a sentence; `boughtBy` is its other direction. */
export const reasonOf = ({ days, vpnType }: Bought): string => `${days} days of ${vpnType}`

/** What was bought, from the sentence of a purchase; null for one that was written in other words. */
export function boughtBy(reason: string): Bought | null {
  const [, days, vpnType = ''] = /^(\d{1,5}) days of ([\w-]+)$/.exec(reason) ?? []
  return isVpnType(vpnType) ? { days: Number(days), vpnType } : null
}
