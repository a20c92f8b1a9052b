import type { Account } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatFromNow, formatMoment, formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'

/** How long it still runs, or since when it does not, with the exact moment on hover. */
export function Expiry({ account, className }: { account: Account; className?: string | undefined }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { accountDuration: days, accountExpireDate: date } = account
  return (
    <time className={className} dateTime={date} title={formatMoment(date, language)}>
      {days > 0
        ? t('accounts.daysLeft', { count: days, shown: formatNumber(days, language) })
        : formatFromNow(date, language)}
    </time>
  )
}
