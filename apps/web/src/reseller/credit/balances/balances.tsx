import { getUserCredit, getUserDebt } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatDollars, formatNumber } from '../../../lib/format.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import styles from './balances.module.css'

export function Balances() {
  const { t } = useTranslation('reseller/credit')
  const language = useLanguage()
  const counted = useCounted()
  const credit = useRead(getUserCredit, {})
  const debt = useRead(getUserDebt, {})
  useReadNotice(debt.error, t('client.fetchingDebt'))
  useReadNotice(credit.error, t('client.fetchingCredit'))
  const points = credit.data?.userCredit ?? 0
  const { userDebt: owed = 0, userDebtLimit: limit = 0, userDebtLeft: debtLeft = 0 } = debt.data ?? {}
  return (
    <section className={styles.all} aria-label={t('credit.title')}>
      <dl className={styles.balances} aria-busy={credit.isPending || debt.isPending}>
        <div className={styles.panel}>
          <dt>{t('credit.credit')}</dt>
          <dd>{credit.data ? formatDollars(credit.data.userCreditDollars, language) : '…'}</dd>
          <dd className={styles.detail}>{credit.data && t('credit.points', counted(points))}</dd>
        </div>
        <div className={styles.panel}>
          <dt>{t('credit.tunnelCredit')}</dt>
          <dd>{credit.data ? formatNumber(credit.data.userTunnelCredit, language) : '…'}</dd>
          <dd className={styles.detail}>{t('credit.tunnelDays')}</dd>
        </div>
        <div className={styles.panel} data-state={debt.data && (owed > 0 ? 'bad' : 'good')}>
          <dt>{t('credit.debt')}</dt>
          <dd>{debt.data ? formatDollars(owed, language) : '…'}</dd>
          <dd className={styles.detail}>{debt.data && t(owed > 0 ? 'credit.owes' : 'credit.owesNothing')}</dd>
          {limit > 0 && (
            <dd className={styles.detail}>
              {t('credit.debtLeft', { left: formatDollars(debtLeft, language) })}
            </dd>
          )}
        </div>
      </dl>
      {credit.isError && !credit.data && (
        <ReadFailed
          error={credit.error}
          text={t('client.fetchingCredit')}
          onRetry={() => void credit.refetch()}
        />
      )}
      {debt.isError && !debt.data && (
        <ReadFailed error={debt.error} text={t('client.fetchingDebt')} onRetry={() => void debt.refetch()} />
      )}
    </section>
  )
}
