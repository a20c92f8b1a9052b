import { isVpnType, type VpnType } from '@kelid/contract'

export interface Bought {
  days: number
  vpnType: VpnType
}

export const reasonOf = ({ days, vpnType }: Bought): string => `${days} days of ${vpnType}`

export function boughtBy(reason: string): Bought | null {
  const [, days, vpnType = ''] = /^(\d{1,5}) days of ([\w-]+)$/.exec(reason) ?? []
  return isVpnType(vpnType) ? { days: Number(days), vpnType } : null
}
