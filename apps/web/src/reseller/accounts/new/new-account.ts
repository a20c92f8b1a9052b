import type { AccountStart, DataReset, TunnelType, VpnType } from '@kelid/contract'
import { usesTunnel } from '@kelid/contract'
import { daysOf, usualDays } from '../purchase/days.ts'
import { wayOf } from './also-by-fields.tsx'
import { targetOf } from './target-field.tsx'

export interface NewAccountValues {
  accountName: string
  accountVPNType: VpnType | ''
  accountTunnelType: TunnelType | ''
  countryId: string
  target: string
  /** Keys of further ways. */
  alsoBy: readonly string[]
  accountDuration: string
  /** In GB; empty: no limit. */
  accountDataLimit: string
  accountDataReset: DataReset
  accountStart: AccountStart
  /** Empty: the usual number. */
  accountMaxDevices: string
}

export const emptyAccount: NewAccountValues = {
  accountName: '',
  accountVPNType: '',
  accountTunnelType: '',
  countryId: '',
  target: '',
  alsoBy: [],
  accountDuration: usualDays,
  accountDataLimit: '',
  accountDataReset: 'none',
  accountStart: 'now',
  accountMaxDevices: '',
}

export const quoteBodyOf = ({
  accountVPNType,
  accountTunnelType,
  accountDuration,
  countryId,
  target,
  alsoBy,
  accountDataLimit,
  accountDataReset,
  accountStart,
  accountMaxDevices,
}: NewAccountValues) => ({
  accountVPNType: accountVPNType as VpnType,
  accountTunnelType,
  accountDuration: daysOf(accountDuration),
  ...(countryId && { countryId: Number(countryId) }),
  ...targetOf(target),
  ...(accountDataLimit.trim() && {
    accountDataLimit: daysOf(accountDataLimit),
    ...(accountDataReset !== 'none' && { accountDataReset }),
  }),
  ...(accountStart !== 'now' && { accountStart }),
  ...(accountMaxDevices.trim() && { accountMaxDevices: daysOf(accountMaxDevices) }),
  ...(alsoBy.length > 0 && { accountAlsoBy: alsoBy.map(wayOf) }),
})

export const newAccountBody = (values: NewAccountValues) => ({
  accountName: values.accountName.trim(),
  accountTunnelEnabled:
    values.accountVPNType !== '' && usesTunnel(values.accountVPNType, values.accountTunnelType),
  ...quoteBodyOf(values),
})
