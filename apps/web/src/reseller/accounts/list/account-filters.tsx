import { accountFilters, accountSorts, toLatinDigits } from '@kelid/contract'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRuleText } from '../../../lib/use-rule-text.ts'
import { useDebounced } from '../../../shared/use-debounced.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { type AccountFilter, searchRule } from './account-filter.ts'
import styles from './account-list.module.css'

interface Props {
  filter: AccountFilter
  onFilter: (filter: AccountFilter) => void
  initialSearch: string
}

export function AccountFilters({ filter, onFilter, initialSearch }: Props) {
  const { t } = useTranslation('reseller')
  const ruleText = useRuleText()
  const [input, setInput] = useState(initialSearch)
  const searchText = toLatinDigits(input.trim())
  const debounced = useDebounced(searchText, 250)
  const change = useChange(filter, onFilter)
  const lastSearch = useRef(initialSearch)
  const search = useEffectEvent((text: string) => {
    // Reports only typed text: at first, the filter of the address may still be loading.
    if (text === lastSearch.current) return
    lastSearch.current = text
    change({ search: text })
  })
  useEffect(() => search(debounced), [debounced])
  return (
    <search className={styles.filters}>
      <TextField
        label={t('accounts.search')}
        type="search"
        value={input}
        onValue={setInput}
        error={ruleText(searchRule(searchText))}
        autoComplete="off"
        spellCheck={false}
        isLatin
      />
      <SelectField
        label={t('accounts.filter')}
        value={filter.state}
        onValue={(state) => change({ state })}
        options={(['all', ...accountFilters] as const).map((value) => ({
          value,
          label: t(`accounts.state.${value}`),
        }))}
      />
      <SelectField
        label={t('accounts.sort')}
        value={filter.sort}
        onValue={(sort) => change({ sort })}
        options={accountSorts.map((value) => ({ value, label: t(`accounts.sorts.${value}`) }))}
      />
    </search>
  )
}

/** `latest` prevents two quick changes from undoing each other. */
function useChange({ search, state, sort }: AccountFilter, onFilter: (filter: AccountFilter) => void) {
  const latest = useRef({ search, state, sort })
  useLayoutEffect(() => {
    latest.current = { search, state, sort }
  }, [search, state, sort])
  return (change: Partial<AccountFilter>) => {
    const before = latest.current
    latest.current = { ...before, ...change }
    const names = Object.keys(change) as (keyof AccountFilter)[]
    if (names.some((name) => before[name] !== latest.current[name])) onFilter(latest.current)
  }
}
