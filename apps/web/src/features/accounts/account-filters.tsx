import { accountSorts, accountStates, toLatinDigits } from '@kelid/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRuleText } from '../../lib/use-rule-text.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type AccountFilter, searchRule } from './account-filter.ts'
import styles from './account-list.module.css'
import { useSettled } from './use-settled.ts'

interface Props {
  filter: AccountFilter
  onFilter: (filter: AccountFilter) => void
}

export function AccountFilters({ filter, onFilter }: Props) {
  const { t } = useTranslation()
  const ruleText = useRuleText()
  const [typed, setTyped] = useState(filter.search)
  const wanted = toLatinDigits(typed.trim())
  const settled = useSettled(wanted, 250)
  const search = useEffectEvent((text: string) => {
    if (text !== filter.search) onFilter({ ...filter, search: text })
  })
  useEffect(() => search(settled), [settled])
  return (
    <search className={styles.filters}>
      <TextField
        label={t('accounts.search')}
        type="search"
        value={typed}
        onValue={setTyped}
        error={ruleText(searchRule(wanted))}
        autoComplete="off"
        spellCheck={false}
        isLatin
      />
      <SelectField
        label={t('accounts.filter')}
        value={filter.state}
        onValue={(state) => onFilter({ ...filter, state })}
        options={(['all', ...accountStates] as const).map((value) => ({
          value,
          label: t(`accounts.state.${value}`),
        }))}
      />
      <SelectField
        label={t('accounts.sort')}
        value={filter.sort}
        onValue={(sort) => onFilter({ ...filter, sort })}
        options={accountSorts.map((value) => ({ value, label: t(`accounts.sorts.${value}`) }))}
      />
    </search>
  )
}
