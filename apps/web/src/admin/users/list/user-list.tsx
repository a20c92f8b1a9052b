import { getUsers, type User, type UserFilter, type UserSort } from '@kelid/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { brokenRules } from '../../../lib/form.ts'
import { SelectField } from '../../../ui/field.tsx'
import empty from '../../../ui/screen.module.css'
import { oneOf, useAddressFilter } from '../../kit/address-filter.ts'
import type { Column } from '../../kit/data-table.tsx'
import { Filters } from '../../kit/filters.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import styles from './user-list.module.css'

interface Props {
  label: string
  columns: readonly Column<User>[]
  filters: readonly UserFilter[]
  sorts: readonly [UserSort, ...UserSort[]]
  pathOf: (userEmail: string) => string
}

const idOf = ({ userEmail }: User) => userEmail

export function UserList({ label, columns, filters, sorts, pathOf }: Props) {
  const { t } = useTranslation('admin')
  const ruleText = useRuleText()
  const defaults = { search: '', filter: 'all', sort: sorts[0] as string }
  const [filter, change] = useAddressFilter(defaults)
  const narrowedTo = oneOf(filters, filter.filter)
  const rule = brokenRules(getUsers, { search: filter.search }).search
  const search = rule ? '' : filter.search
  const withName = useMemo((): Column<User>[] => {
    const cell = ({ userEmail }: User) => (
      <Link to={pathOf(userEmail)} className={styles.name}>
        <bdi dir="ltr">{userEmail}</bdi>
      </Link>
    )
    return [{ title: t('people.email'), isName: true, cell }, ...columns]
  }, [t, columns, pathOf])
  return (
    <>
      <Filters>
        <SearchField
          label={t('people.search')}
          value={filter.search}
          onSearch={(value) => change({ search: value })}
          error={ruleText(rule)}
        />
        <SelectField
          label={t('list.filter')}
          value={narrowedTo ?? 'all'}
          onValue={(value) => change({ filter: value })}
          options={(['all', ...filters] as const).map((value) => ({
            value,
            label: t(`people.filters.${value}`),
          }))}
        />
        <SelectField
          label={t('list.sort')}
          value={oneOf(sorts, filter.sort) ?? sorts[0]}
          onValue={(value) => change({ sort: value })}
          options={sorts.map((value) => ({ value, label: t(`people.sorts.${value}`) }))}
        />
      </Filters>
      <PagedTable
        call={getUsers}
        body={{
          ...(search && { search }),
          ...(narrowedTo && { filter: narrowedTo }),
          sort: oneOf(sorts, filter.sort) ?? sorts[0],
        }}
        label={label}
        columns={withName}
        idOf={idOf}
        failed={t('people.failed')}
        empty={<p className={empty.empty}>{t('client.noUsers')}</p>}
        isNarrow={search !== '' || narrowedTo !== undefined}
        noneMatch={t('client.noUsersFound')}
        onShowAll={() => change(defaults)}
      />
    </>
  )
}
