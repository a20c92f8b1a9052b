import { type Account, getUserAccounts } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFromNow, formatMoment, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import styles from './expiring-soon.module.css'

const soonDays = 7
const shown = 5

/** Active accounts whose days run out next; whoever sells them wants to call the customer first. */
export function ExpiringSoon({ nameOf }: { nameOf: (account: Account) => ReactNode }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const accounts = useRead(getUserAccounts, { state: 'active', sort: 'accountExpireDate', limit: shown })
  if (accounts.isPending) return <Loading mode="skeleton" size="small" />
  if (!accounts.data)
    return <ReadFailed text={t('client.fetchingAccounts')} onRetry={() => void accounts.refetch()} />

  const soon = accounts.data.items.filter(({ accountDuration }) => accountDuration <= soonDays)
  if (soon.length === 0)
    return (
      <p className={styles.none}>
        {t('overview.noneExpiring', { count: soonDays, shown: formatNumber(soonDays, language) })}
      </p>
    )
  return (
    <ul>
      {soon.map((account) => (
        <li key={account.accountUUID} className={styles.row}>
          <span className={styles.name}>{nameOf(account)}</span>
          <time
            className={styles.when}
            dateTime={account.accountExpireDate}
            title={formatMoment(account.accountExpireDate, language)}
          >
            {formatFromNow(account.accountExpireDate, language)}
          </time>
        </li>
      ))}
    </ul>
  )
}
