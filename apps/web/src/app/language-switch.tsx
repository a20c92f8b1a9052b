import { languageFacts, languages, toLanguage } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import styles from './language-switch.module.css'

/** Names the other language in its own script, in the system's font so that no second font is fetched for a word. */
export function LanguageSwitch() {
  const { i18n } = useTranslation()
  const other = languages.find((language) => language !== toLanguage(i18n.language)) ?? 'en'
  return (
    <button
      type="button"
      lang={other}
      className={styles.switch}
      onClick={() => void i18n.changeLanguage(other)}
    >
      {languageFacts[other].ownName}
    </button>
  )
}
