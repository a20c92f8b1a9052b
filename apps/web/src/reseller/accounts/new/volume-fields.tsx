import { accountStarts, dataResets } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../../../ui/field.tsx'
import type { NewAccountValues } from './new-account.ts'
import styles from './new-account-form.module.css'

type Name = 'accountDataLimit' | 'accountDataReset' | 'accountStart' | 'accountMaxDevices'

interface Props {
  values: Pick<NewAccountValues, Name>
  set: <One extends Name>(name: One, value: NewAccountValues[One]) => void
  errorOf: (name: Name) => string | undefined
  touch: (name: Name) => void
  disabled: boolean
}

/** What spec.md does not know: all of it may stay as it is. */
export function VolumeFields({ values, set, errorOf, touch, disabled }: Props) {
  const { t: tNew } = useTranslation('reseller/accounts/new')
  const number = (name: 'accountDataLimit' | 'accountMaxDevices', label: string, hint: string) => (
    <TextField
      label={label}
      hint={hint}
      value={values[name]}
      onValue={(value) => set(name, value)}
      onBlur={() => touch(name)}
      error={errorOf(name)}
      inputMode="numeric"
      name={name}
      autoComplete="off"
      disabled={disabled}
      isLatin
    />
  )
  const hasLimit = values.accountDataLimit.trim() !== ''
  return (
    <>
      <div className={styles.pair}>
        {number('accountDataLimit', tNew('accounts.more.data'), tNew('accounts.more.dataHint'))}
        <SelectField
          label={tNew('accounts.more.reset')}
          value={values.accountDataReset}
          onValue={(value) => set('accountDataReset', value)}
          disabled={disabled || !hasLimit}
          options={dataResets.map((value) => ({ value, label: tNew(`accounts.more.resets.${value}`) }))}
        />
      </div>
      <div className={styles.pair}>
        <SelectField
          label={tNew('accounts.more.start')}
          value={values.accountStart}
          onValue={(value) => set('accountStart', value)}
          disabled={disabled}
          options={accountStarts.map((value) => ({ value, label: tNew(`accounts.more.starts.${value}`) }))}
        />
        {number('accountMaxDevices', tNew('accounts.more.devices'), tNew('accounts.more.devicesHint'))}
      </div>
    </>
  )
}
