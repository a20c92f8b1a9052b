import { type TunnelType, usesTunnel, type VpnType } from '@kelid/contract'
import { daysOf, usualDays } from '../purchase/days.ts'
import { targetOf } from './target-field.tsx'

export interface NewAccountValues {
  accountName: string
  accountVPNType: VpnType | ''
  accountTunnelType: TunnelType | ''
  countryId: string
  target: string
  accountDuration: string
}

export const emptyAccount: NewAccountValues = {
  accountName: '',
  accountVPNType: '',
  accountTunnelType: '',
  countryId: '',
  target: '',
  accountDuration: usualDays,
}

export const quoteBodyOf = ({
  accountVPNType,
  accountTunnelType,
  accountDuration,
  countryId,
  target,
}: NewAccountValues) => ({
  accountVPNType: accountVPNType as VpnType,
  accountTunnelType,
  accountDuration: daysOf(accountDuration),
  ...(countryId && { countryId: Number(countryId) }),
  ...targetOf(target),
})

export const newAccountBody = (values: NewAccountValues) => ({
  accountName: values.accountName.trim(),
  accountTunnelEnabled:
    values.accountVPNType !== '' && usesTunnel(values.accountVPNType, values.accountTunnelType),
  ...quoteBodyOf(values),
})
