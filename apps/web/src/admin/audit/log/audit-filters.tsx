import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../lib/use-language.ts'
import { SelectField } from '../../../ui/field.tsx'
import { DateField } from '../../kit/date-field.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { actName } from './act-name.ts'
import styles from './audit-filters.module.css'
import { type AuditFilter, type Side, sideOf, sides, toRequest } from './filter.ts'

interface Props {
  filter: AuditFilter
  onChange: (change: Partial<AuditFilter>) => void
  actions: readonly string[]
}

const noSide = { person: '', actor: '', subject: '' }

export function AuditFilters({ filter, onChange, actions }: Props) {
  const { t } = useTranslation('admin/audit')
  const language = useLanguage()
  const ruleText = useRuleText()
  const [emptySide, setEmptySide] = useState<Side>('person')
  const side = sideOf(filter) ?? emptySide
  const { broken } = toRequest(filter)
  const actionNames =
    filter.action && !actions.includes(filter.action) ? [...actions, filter.action] : actions
  return (
    <search className={styles.filters}>
      <div className={styles.person}>
        <SearchField
          key={side}
          label={t('auditLog.person')}
          value={filter[side]}
          onSearch={(text) => onChange({ ...noSide, [side]: text })}
          error={ruleText(broken[side === 'person' ? 'about' : side])}
        />
      </div>
      <SelectField
        label={t('auditLog.side')}
        value={side}
        onValue={(next) => {
          setEmptySide(next)
          onChange({ ...noSide, [next]: filter[side] })
        }}
        options={sides.map((value) => ({
          value,
          label: t(`auditLog.${value === 'person' ? 'either' : value}`),
        }))}
      />
      <SelectField
        label={t('auditLog.action')}
        value={filter.action}
        onValue={(action) => onChange({ action })}
        options={[
          { value: '', label: t('auditLog.anyAction') },
          ...actionNames
            .map((value) => ({ value, label: actName(t, value) }))
            .sort((one, other) => one.label.localeCompare(other.label, language)),
        ]}
      />
      {(['from', 'until'] as const).map((name) => (
        <DateField
          key={name}
          label={t(`auditLog.${name}`)}
          value={filter[name]}
          onValue={(date) => onChange({ [name]: date })}
        />
      ))}
    </search>
  )
}
