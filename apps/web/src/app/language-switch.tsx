import { fallbackLanguage, languageFacts, languages, toLanguage } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import styles from './language-switch.module.css'

/** Names the next language in its own script, in the system's font so that no second font is fetched for a word. */
export function LanguageSwitch() {
  const { i18n } = useTranslation()
  const index = languages.indexOf(toLanguage(i18n.language))
  const other = languages[(index + 1) % languages.length] ?? fallbackLanguage
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
