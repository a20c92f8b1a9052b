import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Loading } from '../../ui/loading/loading.tsx'
import styles from './pick.module.css'
import { SearchField } from './search-field.tsx'

interface Props {
  label: string
  search: string
  onSearch: (search: string) => void
  error?: string | undefined
  options: readonly { readonly value: string; readonly label: ReactNode }[] | undefined
  value: string
  onValue: (value: string) => void
  emptyText: string
}

export function Pick({ label, search, onSearch, error, options, value, onValue, emptyText }: Props) {
  const { t } = useTranslation('admin')
  const name = useId()
  return (
    <fieldset
      className={styles.pick}
      // Enter must not submit the dialog around the search.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    >
      <legend>{label}</legend>
      <SearchField label={t('list.search')} value={search} onSearch={onSearch} error={error} />
      <div className={styles.options}>
        {options === undefined && <Loading size="small" />}
        {options?.length === 0 && <p>{emptyText}</p>}
        {options?.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
