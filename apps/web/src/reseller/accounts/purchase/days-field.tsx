import { extendDuration, limits } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { TextField } from '../../../ui/field.tsx'
import { daysOf } from './days.ts'

export const areDays = (text: string): boolean =>
  !('accountDuration' in brokenRules(extendDuration, { accountDuration: daysOf(text) }))

export function useDaysHint(): string {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const [min, max] = [limits.daysMin, limits.daysMax].map((days) => formatNumber(days, language))
  return t('accounts.durationHint', { min, max })
}

interface Props {
  value: string
  onValue: (text: string) => void
  disabled: boolean
}

export function DaysField({ value, onValue, disabled }: Props) {
  const { t } = useTranslation('reseller')
  const isWrong = !areDays(value)
  return (
    <TextField
      label={t('accounts.renew.days')}
      value={value}
      onValue={onValue}
      onKeyDown={(event) =>
        event.key === 'Enter' && isWrong && notify(t('client.incompleteInformation'), 'error')
      }
      error={isWrong && value !== '' ? t('client.incompleteInformation') : undefined}
      hint={useDaysHint()}
      inputMode="numeric"
      autoComplete="off"
      disabled={disabled}
      isLatin
    />
  )
}
