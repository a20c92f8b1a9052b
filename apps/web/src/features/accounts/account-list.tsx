import { type Account, getUserAccounts, RefusedByServer } from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useReadPages } from '../../lib/read-pages.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { useReadNotice } from '../../lib/use-read-notice.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ReadFailed } from '../../ui/read-failed.tsx'
import { type AccountFilter, accountsAtOnce, everyAccount, filterBody, isNarrow } from './account-filter.ts'
import { AccountFilters } from './account-filters.tsx'
import styles from './account-list.module.css'
import { AccountRows } from './account-rows.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useLiveAccounts } from './use-live-accounts.ts'
import { useSelection } from './use-selection.ts'

const reading = {
  size: accountsAtOnce,
  idOf: ({ accountUUID }: Account) => accountUUID,
}

interface Props {
  filter: AccountFilter
  onFilter: (filter: AccountFilter) => void
  nameOf: (account: Account) => ReactNode
  /** Shown when there is not a single account yet. */
  empty: ReactNode
}

/** Some servers say it with a refusal when a user has no accounts. */
const meansNone = (error: Error | null): boolean =>
  error instanceof RefusedByServer &&
  (error.type === 'RESOURCE_NOT_FOUND' || error.message === 'No accounts found')

export function AccountList({ filter, onFilter, nameOf, empty }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { selected, put, clear } = useSelection()
  const [start, setStart] = useState({ round: 0, search: filter.search })
  const accounts = useReadPages(getUserAccounts, filterBody(filter), reading)
  const { items, total, isPlaceholderData } = accounts
  const isNone = meansNone(accounts.error)
  const error = isNone ? null : accounts.error
  useReadNotice(error, t('client.fetchingAccounts'))
  useLiveAccounts()
  const shown = isNone ? [] : items
  const showAll = () => {
    setStart(({ round }) => ({ round: round + 1, search: '' }))
    onFilter({ ...everyAccount, sort: filter.sort })
  }
  const readOn = () => {
    if (accounts.hasNextPage && !accounts.isFetchingNextPage && !accounts.isFetchNextPageError)
      accounts.fetchNextPage()
  }

  if (accounts.isPending && accounts.isPaused)
    return <p className={styles.none}>{t('accounts.waitingForNetwork')}</p>
  if (accounts.isPending) return <SkeletonRows />
  if (error && !accounts.hasData && !isNarrow(filter))
    return <ReadFailed text={t('client.fetchingAccounts')} onRetry={accounts.refetch} />
  if (shown.length === 0 && !error && !isNarrow(filter) && !isPlaceholderData) return empty

  return (
    <section className={styles.list} aria-label={t('accounts.title')}>
      <AccountFilters key={start.round} filter={filter} onFilter={onFilter} initialSearch={start.search} />
      {error && (
        <ReadFailed
          text={t(shown.length > 0 ? 'accounts.notRefreshed' : 'client.fetchingAccounts')}
          onRetry={accounts.refetch}
        />
      )}
      <div className={styles.bar}>
        <p className={styles.count} aria-live="polite">
          {t('accounts.count', {
            count: isNone ? 0 : total,
            shown: formatNumber(isNone ? 0 : total, language),
          })}
        </p>
        {shown.length > 0 && <SelectShown accounts={shown} selected={selected} onSelect={put} />}
      </div>
      <div className={styles.rows} aria-busy={isPlaceholderData}>
        <AccountRows accounts={shown} selected={selected} onSelect={put} onNearEnd={readOn} nameOf={nameOf} />
      </div>
      {shown.length === 0 && !error && (
        <div className={styles.none}>
          <p>{t('accounts.noneMatch')}</p>
          <Button onClick={showAll}>{t('accounts.clearFilter')}</Button>
        </div>
      )}
      {accounts.isFetchingNextPage && <Loading mode="dots" size="small" />}
      {accounts.isFetchNextPageError && (
        <ReadFailed text={t('accounts.moreFailed')} onRetry={accounts.fetchNextPage} />
      )}
      {selected.size > 0 && (
        <SelectionBar selected={[...selected.values()]} onDone={(done) => put(done, false)} onClear={clear} />
      )}
    </section>
  )
}

interface SelectShownProps {
  accounts: readonly Account[]
  selected: ReadonlyMap<string, Account>
  onSelect: (accounts: readonly Account[], isSelected: boolean) => void
}

function SelectShown({ accounts, selected, onSelect }: SelectShownProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const isAll = accounts.every(({ accountUUID }) => selected.has(accountUUID))
  return (
    <label className={styles.all}>
      <input type="checkbox" checked={isAll} onChange={(event) => onSelect(accounts, event.target.checked)} />
      {t('accounts.selectShown', { count: accounts.length, shown: formatNumber(accounts.length, language) })}
    </label>
  )
}

const SkeletonRows = () => (
  <Loading mode="custom">
    <span className={styles.skeleton} aria-hidden="true">
      <span />
      <span />
      <span />
    </span>
  </Loading>
)
