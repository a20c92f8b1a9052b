import { type Account, getUserAccounts, type Listing, limits } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCounted } from '../../../lib/use-counted.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { When } from '../../../shared/when.tsx'
import { stateOf } from '../state-text.ts'
import styles from './expiring-soon.module.css'

const maxRows = 5

const isExpiring = (account: Account): boolean =>
  stateOf(account) === 'active' && account.accountDuration <= limits.expiringDays

/** A server without counts sends all accounts. */
function expiringOf({ items, total }: Listing<Account>) {
  if (total !== undefined) return { items, total }
  const expiring = items
    .filter(isExpiring)
    .toSorted((one, other) => one.accountDuration - other.accountDuration)
  return { items: expiring.slice(0, maxRows), total: expiring.length }
}

interface Props {
  nameOf: (account: Account) => ReactNode
  moreOf: (text: string) => ReactNode
}

export function ExpiringSoon({ nameOf, moreOf }: Props) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const accounts = useRead(getUserAccounts, {
    state: 'expiring',
    sort: 'accountExpireDate',
    limit: maxRows,
    withLinks: false,
  })
  useReadNotice(accounts.error, t('client.fetchingAccounts'))
  if (!accounts.data) return <ReadState read={accounts} failed={t('client.fetchingAccounts')} size="small" />

  const { items, total } = expiringOf(accounts.data)
  if (total === 0) {
    const days = limits.expiringDays
    return <p className={styles.none}>{t('overview.noneExpiring', counted(days))}</p>
  }
  return (
    <>
      <p className={styles.none}>{moreOf(t('overview.accountCount', counted(total)))}</p>
      <ul>
        {items.map((account) => (
          <li key={account.accountUUID} className={styles.row}>
            <span className={styles.name}>{nameOf(account)}</span>
            <span className={styles.when}>
              <When date={account.accountExpireDate} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
