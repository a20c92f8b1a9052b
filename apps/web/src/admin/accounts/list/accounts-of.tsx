import {
  type AnyAccount,
  accountFilters,
  accountSorts,
  getAnyAccounts,
  type UserDetail,
} from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { oneOf, useAddressFilter } from '../../kit/address-filter.ts'
import type { Column } from '../../kit/data-table.tsx'
import { Filters } from '../../kit/filters.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { Section } from '../../kit/section.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { StateOfAccount } from '../account-state.tsx'
import { DataUsed, LastSeen } from '../activity.tsx'
import styles from './accounts-of.module.css'

interface Props {
  user: UserDetail
  pathOf: (accountUUID: string) => string
}

const defaults = { search: '', state: 'all', sort: '-accountCreatedDate' }

export function AccountsOf({ user, pathOf }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const columns = useColumns(pathOf)
  const [filter, change] = useAddressFilter(defaults)
  const state = oneOf(accountFilters, filter.state)
  const sort = oneOf(accountSorts, filter.sort) ?? '-accountCreatedDate'
  const rule = brokenRules(getAnyAccounts, { search: filter.search }).search
  const search = rule ? '' : filter.search
  const countOf = (value: typeof state) => (value ? user.accountsByState[value] : user.accounts)
  return (
    <Section title={t('adminAccounts.title')}>
      <Filters>
        <SearchField
          label={t('adminAccounts.search')}
          value={filter.search}
          onSearch={(value) => change({ search: value })}
          error={ruleText(rule)}
        />
        <SelectField
          label={t('adminAccounts.state')}
          value={state ?? 'all'}
          onValue={(value) => change({ state: value })}
          options={(['all', ...accountFilters] as const).map((value) => ({
            value,
            label: `${t(`adminAccounts.states.${value}`)} (${formatNumber(countOf(oneOf(accountFilters, value)), language)})`,
          }))}
        />
        <SelectField
          label={t('list.sort')}
          value={sort}
          onValue={(value) => change({ sort: value })}
          options={accountSorts.map((value) => ({ value, label: t(`adminAccounts.sorts.${value}`) }))}
        />
      </Filters>
      <PagedTable
        call={getAnyAccounts}
        body={{ userEmail: user.userEmail, sort, ...(search && { search }), ...(state && { state }) }}
        label={t('adminAccounts.title')}
        columns={columns}
        idOf={({ accountUUID }) => accountUUID}
        failed={t('adminAccounts.failed')}
        empty={<p>{t('adminAccounts.none')}</p>}
        isNarrow={search !== '' || state !== undefined}
        noneMatch={t('adminAccounts.noneMatch')}
        onShowAll={() => change(defaults)}
      />
    </Section>
  )
}

function useColumns(pathOf: Props['pathOf']): Column<AnyAccount>[] {
  const { t } = useTranslation('admin')
  return [
    {
      title: t('adminAccounts.name'),
      isName: true,
      cell: ({ accountUUID, accountName }) => (
        <Link to={pathOf(accountUUID)} className={styles.name}>
          <bdi>{accountName}</bdi>
        </Link>
      ),
    },
    {
      title: t('adminAccounts.state'),
      cell: (account) => <StateOfAccount account={account} />,
    },
    {
      title: t('adminAccounts.expires'),
      cell: ({ accountExpireDate }) => <When date={accountExpireDate} />,
    },
    { title: t('adminAccounts.used'), cell: (account) => <DataUsed account={account} />, isNumber: true },
    { title: t('adminAccounts.lastSeen'), cell: (account) => <LastSeen account={account} /> },
    { title: t('adminAccounts.type'), cell: ({ accountVPNType }) => t(`vpnTypes.${accountVPNType}`) },
    {
      title: t('adminAccounts.server'),
      cell: ({ serverName, tunnelName }) => (
        <bdi>{tunnelName === null ? serverName : `${serverName} · ${tunnelName}`}</bdi>
      ),
    },
  ]
}
