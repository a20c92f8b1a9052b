import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { When } from '../../../shared/when.tsx'
import { Facts } from '../../kit/facts.tsx'
import type { Quote } from './outage.ts'

/** Shows the previous compensation too, so that nobody compensates the same outage twice. */
export function QuoteFacts({ quote, reason = '' }: { quote: Quote; reason?: string }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { accounts, earliestExpireDate, latestExpireDate, lastCompensation: last } = quote
  const until = (date: string | null) =>
    date && <When key="until" date={date} words={formatDate(date, language)} />
  return (
    <>
      <Facts
        facts={[
          [t('compensations.accounts'), formatNumber(accounts, language)],
          [t('compensations.earliest'), until(earliestExpireDate)],
          [t('compensations.latest'), until(latestExpireDate)],
          [t('compensations.reason'), reason && <bdi key="reason">{reason}</bdi>],
        ]}
      />
      {accounts === 0 && <p>{t('compensations.nobody')}</p>}
      {last && (
        <Warning>
          {t('compensations.last', {
            count: last.compensationDays,
            days: formatNumber(last.compensationDays, language),
            date: formatDate(last.compensationDate, language),
          })}
        </Warning>
      )}
    </>
  )
}
