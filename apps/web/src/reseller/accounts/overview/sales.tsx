import { getSales, languageFacts } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import styles from './sales.module.css'

export const useHasSales = (): boolean => !isUnknownCall(useRead(getSales, {}).error)

/** What the reseller bought in 30 days, by plan, and what a day and a GB cost on average. */
export function Sales({ title }: { title: string }) {
  const { t } = useTranslation('reseller/accounts/overview')
  const language = useLanguage()
  const sales = useRead(getSales, {})
  useReadNotice(isUnknownCall(sales.error) ? null : sales.error, t('sales.failed'))
  if (!sales.data) return <ReadState read={sales} failed={t('sales.failed')} size="small" />
  const { salesByPlan, pointsPerDay, pointsPerGB } = sales.data
  if (salesByPlan.length === 0) return <p className={styles.quiet}>{t('sales.none')}</p>
  const price = (points: number) =>
    points.toLocaleString(languageFacts[language].locale, { maximumFractionDigits: 2 })
  return (
    <>
      <table className={styles.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('sales.plan')}</th>
            <th scope="col">{t('sales.purchases')}</th>
            <th scope="col">{t('sales.points')}</th>
          </tr>
        </thead>
        <tbody>
          {salesByPlan.map(({ planName, purchases, points }, index) => (
            <tr key={index}>
              <th scope="row">{planName === null ? t('sales.withoutPlan') : <bdi>{planName}</bdi>}</th>
              <td>{formatNumber(purchases, language)}</td>
              <td>{formatNumber(points, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.quiet}>
        {pointsPerDay !== null && t('sales.perDay', { points: price(pointsPerDay) })}{' '}
        {pointsPerGB !== null && t('sales.perGB', { points: price(pointsPerGB) })}
      </p>
    </>
  )
}
