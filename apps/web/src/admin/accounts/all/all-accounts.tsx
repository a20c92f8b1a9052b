import { type AccountSort, type AnyAccount, accountFilters, getAnyAccounts } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../shared/when.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { oneOf } from '../../kit/address-filter.ts'
import type { Column } from '../../kit/data-table.tsx'
import { Filters } from '../../kit/filters.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { StateOfAccount } from '../account-state.tsx'
import { DataUsed, LastSeen } from '../activity.tsx'

const sorts = { '': 'newest', accountExpireDate: 'soonest', accountName: 'byName' } as const

export interface AccountsFilter extends Record<string, string> {
  search: string
  state: string
  sort: string
}

interface Props {
  filter: AccountsFilter
  onChange: (change: Partial<AccountsFilter>) => void
  onShowAll: () => void
  linkToAccount: (account: AnyAccount, name: ReactNode) => ReactNode
  linkToOwner: (account: AnyAccount, name: ReactNode) => ReactNode
  linkToServer: (account: AnyAccount, name: ReactNode) => ReactNode
}

export function AllAccounts({ filter, onChange, onShowAll, ...links }: Props) {
  const { t } = useTranslation('admin')
  const state = oneOf(accountFilters, filter.state)
  const sort = oneOf(Object.keys(sorts) as (keyof typeof sorts)[], filter.sort) ?? ''
  const columns: Column<AnyAccount>[] = [
    {
      title: t('allAccounts.name'),
      cell: (account) => links.linkToAccount(account, <bdi>{account.accountName}</bdi>),
      isName: true,
    },
    {
      title: t('allAccounts.owner'),
      isAddress: true,
      cell: (account) => links.linkToOwner(account, <bdi dir="ltr">{account.userEmail}</bdi>),
    },
    { title: t('allAccounts.state'), cell: (account) => <StateOfAccount account={account} /> },
    { title: t('allAccounts.expires'), cell: ({ accountExpireDate }) => <When date={accountExpireDate} /> },
    { title: t('adminAccounts.used'), cell: (account) => <DataUsed account={account} />, isNumber: true },
    { title: t('adminAccounts.lastSeen'), cell: (account) => <LastSeen account={account} /> },
    {
      title: t('allAccounts.server'),
      cell: (account) => links.linkToServer(account, <bdi dir="ltr">{account.serverName}</bdi>),
    },
  ]
  return (
    <>
      <Filters>
        <SearchField
          label={t('list.search')}
          value={filter.search}
          onSearch={(search) => onChange({ search })}
        />
        <SelectField
          label={t('list.filter')}
          value={state ?? ''}
          onValue={(next) => onChange({ state: next })}
          options={[
            { value: '', label: t('allAccounts.every') },
            ...accountFilters.map((value) => ({ value, label: t(`adminAccounts.states.${value}`) })),
          ]}
        />
        <SelectField
          label={t('list.sort')}
          value={sort}
          onValue={(next) => onChange({ sort: next })}
          options={Object.entries(sorts).map(([value, name]) => ({
            value: value as keyof typeof sorts,
            label: t(`allAccounts.${name}`),
          }))}
        />
      </Filters>
      <PagedTable
        call={getAnyAccounts}
        body={{
          ...(filter.search && { search: filter.search }),
          ...(state && { state }),
          ...(sort && { sort: sort satisfies AccountSort }),
        }}
        label={t('allAccounts.title')}
        columns={columns}
        idOf={({ accountUUID }) => accountUUID}
        failed={t('allAccounts.failed')}
        empty={<p>{t('allAccounts.empty')}</p>}
        isNarrow={filter.search !== '' || state !== undefined}
        onShowAll={onShowAll}
      />
    </>
  )
}
