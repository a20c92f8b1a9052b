import { languageFacts, languages } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../lib/use-language.ts'
import { SelectField } from '../field.tsx'

export function LanguagePicker() {
  const { t, i18n } = useTranslation('ui/appearance')
  return (
    <SelectField
      label={t('settings.language')}
      value={useLanguage()}
      onValue={(language) => void i18n.changeLanguage(language)}
      options={languages.map((value) => ({ value, label: languageFacts[value].ownName }))}
    />
  )
}
