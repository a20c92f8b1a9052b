import { isVpnType, type VpnType } from '@kelid/contract'

export interface Bought {
  /** 0: data alone. */
  days: number
  vpnType: VpnType
  /** Ways that were chosen beside the first. */
  chosenWays: number
  gigabytes: number
  /** Devices above the default. */
  extraDevices: number
}

export const reasonOf = ({ days, vpnType, chosenWays, gigabytes, extraDevices }: Bought): string =>
  days === 0 && gigabytes > 0
    ? `${gigabytes} GB of ${vpnType}`
    : [
        `${days} days of ${vpnType}${chosenWays > 0 ? ` and ${chosenWays} further ways` : ''}`,
        ...(gigabytes > 0 ? [`${gigabytes} GB`] : []),
        ...(extraDevices > 0 ? [`${extraDevices} further devices`] : []),
      ].join(', ')

const daysOf =
  /^(?<days>\d{1,5}) days of (?<type>[\w-]+)(?: and (?<ways>\d) further ways)?(?:, (?<gigabytes>\d{1,8}) GB)?(?:, (?<devices>\d{1,2}) further devices)?$/
const dataOf = /^(?<gigabytes>\d{1,8}) GB of (?<type>[\w-]+)$/

export function boughtBy(reason: string): Bought | null {
  const {
    days,
    type = '',
    ways,
    gigabytes,
    devices,
  } = (daysOf.exec(reason) ?? dataOf.exec(reason))?.groups ?? {}
  const number = (text: string | undefined) => Number(text ?? 0)
  return isVpnType(type)
    ? {
        days: number(days),
        vpnType: type,
        chosenWays: number(ways),
        gigabytes: number(gigabytes),
        extraDevices: number(devices),
      }
    : null
}
