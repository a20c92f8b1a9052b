import { type Account, accountStates, type AccountSort, type AccountState, getUserAccounts } from '@kelid/contract'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WindowVirtualizer } from 'virtua'
import { formatNumber } from '../../lib/format.ts'
import { useReadPages } from '../../lib/read-pages.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ReadFailed } from '../../ui/read-failed.tsx'
import { AccountCard } from './account-card.tsx'
import styles from './account-list.module.css'
import { SelectionBar } from './selection-bar.tsx'

const pageSize = 100
const sorts: readonly AccountSort[] = ['-accountCreatedDate', 'accountExpireDate', '-accountExpireDate', 'accountName']

interface Props {
  nameOf: (account: Account) => ReactNode
  /** Shown when there is not a single account yet. */
  empty: ReactNode
}

export function AccountList({ nameOf, empty }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [search, setSearch] = useState('')
  const [state, setState] = useState<AccountState | 'all'>('all')
  const [sort, setSort] = useState<AccountSort>('-accountCreatedDate')
  const [selected, setSelected] = useState<ReadonlyMap<string, Account>>(new Map())
  const wanted = useDeferredValue(search.trim())
  const filter = { sort, ...(wanted && { search: wanted }), ...(state !== 'all' && { state }) }
  const accounts = useReadPages(getUserAccounts, filter, pageSize)
  const isFiltered = wanted !== '' || state !== 'all'

  const select = (account: Account, isSelected: boolean) =>
    setSelected((before) => {
      const next = new Map(before)
      if (isSelected) next.set(account.accountUUID, account)
      else next.delete(account.accountUUID)
      return next
    })

  if (accounts.isError && accounts.items.length === 0)
    return <ReadFailed text={t('client.fetchingAccounts')} onRetry={() => void accounts.refetch()} />
  if (accounts.isPending) return <Loading mode="skeleton" size="large" />
  if (accounts.items.length === 0 && !isFiltered) return empty

  return (
    <section className={styles.list} aria-label={t('accounts.title')}>
      <div className={styles.filters}>
        <TextField label={t('accounts.search')} type="search" value={search} onValue={setSearch} isLatin />
        <SelectField
          label={t('accounts.filter')}
          value={state}
          onValue={setState}
          options={(['all', ...accountStates] as const).map((value) => ({ value, label: t(`accounts.state.${value}`) }))}
        />
        <SelectField
          label={t('accounts.sort')}
          value={sort}
          onValue={setSort}
          options={sorts.map((value) => ({ value, label: t(`accounts.sorts.${value}` as 'accounts.sorts.accountName') }))}
        />
      </div>
      <p className={styles.count} aria-live="polite">
        {t('accounts.count', { count: accounts.total, shown: formatNumber(accounts.total, language) })}
      </p>
      <WindowVirtualizer
        onScroll={() => {
          const isNearEnd = window.innerHeight + window.scrollY > document.body.scrollHeight - 2_000
          if (isNearEnd && accounts.hasNextPage && !accounts.isFetchingNextPage) void accounts.fetchNextPage()
        }}
      >
        {accounts.items.map((account) => (
          <div key={account.accountUUID} className={styles.row}>
            <AccountCard
              account={account}
              isSelected={selected.has(account.accountUUID)}
              onSelect={(isSelected) => select(account, isSelected)}
              name={nameOf(account)}
            />
          </div>
        ))}
      </WindowVirtualizer>
      {accounts.items.length === 0 && <p>{t('accounts.noneMatch')}</p>}
      {accounts.isFetchingNextPage && <Loading mode="dots" size="small" />}
      {selected.size > 0 && <SelectionBar selected={[...selected.values()]} onDone={() => setSelected(new Map())} />}
    </section>
  )
}
