import type { Account, Language } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { formatFromNow, formatMoment, formatNumber } from '../../lib/format.ts'

interface Props {
  account: Account
  t: TFunction
  language: Language
  className?: string | undefined
}

/** How long it still runs, or since when it does not, with the exact moment on hover. */
export function Expiry({ account, t, language, className }: Props) {
  const { accountDuration: days, accountExpireDate: date } = account
  return (
    <time className={className} dateTime={date} title={formatMoment(date, language)}>
      {days > 0
        ? t('accounts.daysLeft', { count: days, shown: formatNumber(days, language) })
        : formatFromNow(date, language)}
    </time>
  )
}
