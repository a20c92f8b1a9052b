import type { Account, Language } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { formatFromNow, formatNumber } from '../../lib/format.ts'

export const expiryText = (
  t: TFunction<'reseller'>,
  language: Language,
  { accountDuration: days, accountExpireDate }: Pick<Account, 'accountDuration' | 'accountExpireDate'>,
): string =>
  days > 0
    ? t('accounts.daysLeft', { count: days, shown: formatNumber(days, language) })
    : formatFromNow(accountExpireDate, language)
