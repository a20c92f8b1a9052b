import { type Account, getUserAccounts } from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore, useStorePart } from '../../../lib/store.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { useReadPages } from '../../../shared/reads/read-pages.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { type AccountFilter, accountsAtOnce, everyAccount, filterBody, isNarrow } from './account-filter.ts'
import { AccountFilters } from './account-filters.tsx'
import styles from './account-list.module.css'
import { AccountRows } from './account-rows.tsx'
import { createSelection, type Selection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useLiveAccounts } from './use-live-accounts.ts'

const pageOptions = {
  size: accountsAtOnce,
  // Online status causes no event.
  everyMs: 60_000,
  idOf: ({ accountUUID }: Account) => accountUUID,
}

interface Props {
  filter: AccountFilter
  onFilter: (filter: AccountFilter) => void
  nameOf: (account: Account) => ReactNode
  empty: ReactNode
}

export function AccountList({ filter, onFilter, nameOf, empty }: Props) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const [selection] = useState(createSelection)
  const [start, setStart] = useState({ round: 0, search: filter.search })
  const accounts = useReadPages(getUserAccounts, filterBody(filter), pageOptions)
  const { items: visibleAccounts, total, isPlaceholderData, error } = accounts
  useLiveAccounts()
  const showAll = () => {
    setStart(({ round }) => ({ round: round + 1, search: '' }))
    onFilter({ ...everyAccount, sort: filter.sort })
  }
  const readOn = () => {
    if (accounts.hasNextPage && !accounts.isFetchingNextPage && !accounts.nextPageError)
      accounts.fetchNextPage()
  }

  if (accounts.isPending && accounts.isPaused)
    return <p className={styles.none}>{t('accounts.waitingForNetwork')}</p>
  if (accounts.isPending) return <SkeletonRows />
  if (error && !accounts.hasData && !isNarrow(filter))
    return <ReadFailed error={error} text={t('client.fetchingAccounts')} onRetry={accounts.refetch} />
  if (visibleAccounts.length === 0 && !error && !isNarrow(filter) && !isPlaceholderData) return empty

  return (
    <section className={styles.list} aria-label={t('accounts.title')}>
      {accounts.isSearchable && (
        <AccountFilters key={start.round} filter={filter} onFilter={onFilter} initialSearch={start.search} />
      )}
      {error && (
        <ReadFailed
          error={error}
          notice={t('client.fetchingAccounts')}
          text={t(visibleAccounts.length > 0 ? 'accounts.notRefreshed' : 'client.fetchingAccounts')}
          onRetry={accounts.refetch}
        />
      )}
      <div className={styles.bar}>
        <p className={styles.count} aria-live="polite">
          {t('accounts.count', counted(total))}
        </p>
        {visibleAccounts.length > 0 && <SelectShown accounts={visibleAccounts} selection={selection} />}
      </div>
      <div className={styles.rows} aria-busy={isPlaceholderData}>
        {visibleAccounts.length > 0 && (
          <AccountRows
            accounts={visibleAccounts}
            total={total}
            selection={selection}
            onNearEnd={readOn}
            nameOf={nameOf}
          />
        )}
      </div>
      {visibleAccounts.length === 0 && !error && (
        <div className={styles.none}>
          <p>{t('accounts.noneMatch')}</p>
          <Button onClick={showAll}>{t('accounts.clearFilter')}</Button>
        </div>
      )}
      {accounts.isFetchingNextPage && <Loading mode="dots" size="small" />}
      {accounts.nextPageError && (
        <ReadFailed
          error={accounts.nextPageError}
          notice={t('client.fetchingAccounts')}
          text={t('accounts.moreFailed')}
          onRetry={accounts.fetchNextPage}
        />
      )}
      <WithSelected selection={selection} />
    </section>
  )
}

function SelectShown({ accounts, selection }: { accounts: readonly Account[]; selection: Selection }) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const isAll = useStorePart(selection, (selected) =>
    accounts.every(({ accountUUID }) => selected.has(accountUUID)),
  )
  return (
    <label className={styles.all}>
      <input
        type="checkbox"
        checked={isAll}
        onChange={(event) => selection.put(accounts, event.target.checked)}
      />
      {t('accounts.selectShown', counted(accounts.length))}
    </label>
  )
}

/** A separate component keeps a tick from rendering the list. */
function WithSelected({ selection }: { selection: Selection }) {
  const selected = useStore(selection)
  return (
    selected.size > 0 && (
      <SelectionBar
        selected={[...selected.values()]}
        onDone={(doneAccounts) => selection.put(doneAccounts, false)}
        onClear={selection.clear}
      />
    )
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
