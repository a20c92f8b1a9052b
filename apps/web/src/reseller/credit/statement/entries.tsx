import type { Answer, getStatement } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatNumber, formatSigned } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import styles from './entries.module.css'

export type Entry = Answer<typeof getStatement>['items'][number]

export function Entries({ entries, title }: { entries: readonly Entry[]; title: string }) {
  const { t } = useTranslation('reseller/credit')
  const language = useLanguage()
  /** Translates what the server wrote; shows reasons of people as they are. */
  const reasonOf = (entry: Entry) => {
    const { entryDays: days, entryVPNType: vpnType, entryWays: ways } = entry
    const { entryGigabytes: gigabytes, entryDevices: devices } = entry
    if (entry.entryMovement === 'debt') return t('statement.boughtOnDebt')
    if (days === null || vpnType === null) return entry.entryReason
    const shown = (count: number) => ({ count, shown: formatNumber(count, language) })
    return [
      ...(entry.entryMovement === 'data' ? [] : [t('statement.daysOf', { ...shown(days), vpnType })]),
      ...(ways ? [t('statement.ways', shown(ways))] : []),
      ...(gigabytes ? [t('statement.gigabytes', shown(gigabytes))] : []),
      ...(devices ? [t('statement.devices', shown(devices))] : []),
    ].join(' + ')
  }
  return (
    <table className={styles.entries}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t('statement.what')}</th>
          <th scope="col">{t('statement.when')}</th>
          <th scope="col" className={styles.number}>
            {t('statement.amount')}
          </th>
          <th scope="col" className={styles.number}>
            {t('statement.balance')}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.entryId}>
            <td className={styles.what}>
              {t(`statement.movements.${entry.entryMovement}`)}
              {entry.accountName && (
                <>
                  {' '}
                  <bdi>{entry.accountName}</bdi>
                </>
              )}
              {entry.entryPlan && (
                <span className={styles.quiet}>
                  {t('statement.plan')} <bdi>{entry.entryPlan}</bdi>
                </span>
              )}
              {entry.entryReason && (
                <span className={styles.quiet}>
                  <bdi>{reasonOf(entry)}</bdi>
                </span>
              )}
            </td>
            <td className={styles.when}>
              <When date={entry.entryDate} />
            </td>
            <td className={styles.number}>
              <bdi>{formatSigned(entry.entryAmount, entry.entryUnit, language)}</bdi>{' '}
              <span className={styles.quiet}>{t(`statement.units.${entry.entryUnit}`)}</span>
            </td>
            <td className={styles.balance}>
              <span className={styles.label}>{t('statement.balance')}: </span>
              <bdi>{formatAmount(entry.entryBalance, entry.entryUnit, language)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
