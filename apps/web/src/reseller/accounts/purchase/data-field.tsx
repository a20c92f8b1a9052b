import { addData } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { TextField } from '../../../ui/field.tsx'
import { gigabytesOf } from './days.ts'

export const areGigabytes = (text: string): boolean =>
  !('accountDataLimit' in brokenRules(addData, { accountDataLimit: gigabytesOf(text) }))

export const mayBeGigabytes = (text: string): boolean => text.trim() === '' || areGigabytes(text)

interface Props {
  value: string
  onValue: (text: string) => void
  hint: string
  disabled: boolean
}

export function DataField({ value, onValue, hint, disabled }: Props) {
  const { t } = useTranslation('reseller')
  return (
    <TextField
      label={t('accounts.data.gigabytes')}
      value={value}
      onValue={onValue}
      error={mayBeGigabytes(value) ? undefined : t('client.incompleteInformation')}
      hint={hint}
      inputMode="numeric"
      autoComplete="off"
      disabled={disabled}
      isLatin
    />
  )
}
