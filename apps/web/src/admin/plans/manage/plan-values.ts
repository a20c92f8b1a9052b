import {
  type AccountStart,
  type DataReset,
  type Language,
  languages,
  type Plan,
  type TunnelType,
  type VpnType,
} from '@kelid/contract'
import { parseNumber } from '../../kit/parse-number.ts'

export interface WayValues {
  accountVPNType: VpnType
  accountTunnelType: TunnelType | ''
  /** '0': any location. */
  countryId: string
}

export interface PlanValues {
  planNames: Readonly<Record<Language, string>>
  planWays: readonly WayValues[]
  accountDuration: string
  /** In GB; empty: no limit. */
  accountDataLimit: string
  accountDataReset: DataReset
  accountStart: AccountStart
  /** Empty: the default of the settings. */
  accountMaxDevices: string
  planPoints: string
  planTunnelCredit: string
  planForAll: boolean
  planResellers: readonly string[]
}

export const usualWay: WayValues = {
  accountVPNType: 'hysteria2-direct',
  accountTunnelType: '',
  countryId: '0',
}

export const emptyPlan: PlanValues = {
  planNames: Object.fromEntries(languages.map((language) => [language, ''])) as Record<Language, string>,
  planWays: [usualWay],
  accountDuration: '30',
  accountDataLimit: '',
  accountDataReset: 'none',
  accountStart: 'now',
  accountMaxDevices: '',
  planPoints: '',
  planTunnelCredit: '0',
  planForAll: true,
  planResellers: [],
}

const textOf = (value: number | null) => (value === null ? '' : String(value))

export const valuesOf = (plan: Plan): PlanValues => ({
  planNames: plan.planNames,
  planWays: plan.planWays.map((way) => ({ ...way, countryId: String(way.countryId) })),
  accountDuration: String(plan.accountDuration),
  accountDataLimit: textOf(plan.accountDataLimit),
  accountDataReset: plan.accountDataReset,
  accountStart: plan.accountStart,
  accountMaxDevices: textOf(plan.accountMaxDevices),
  planPoints: String(plan.planPoints),
  planTunnelCredit: String(plan.planTunnelCredit),
  planForAll: plan.planForAll,
  planResellers: plan.planResellers,
})

export function bodyOf(values: PlanValues) {
  const { accountDataLimit: limit, accountMaxDevices: devices } = values
  const names = Object.entries(values.planNames).map(([language, name]) => [language, name.trim()])
  return {
    planNames: Object.fromEntries(names) as Record<Language, string>,
    planWays: values.planWays.map((way) => ({ ...way, countryId: Number(way.countryId) })),
    accountDuration: parseNumber(values.accountDuration),
    ...(limit.trim() && { accountDataLimit: parseNumber(limit) }),
    accountDataReset: limit.trim() ? values.accountDataReset : ('none' as const),
    accountStart: values.accountStart,
    ...(devices.trim() && { accountMaxDevices: parseNumber(devices) }),
    planPoints: parseNumber(values.planPoints),
    planTunnelCredit: parseNumber(values.planTunnelCredit),
    planForAll: values.planForAll,
    planResellers: values.planForAll ? [] : [...values.planResellers],
  }
}
