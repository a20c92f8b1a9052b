import { fallbackLanguage, languageFacts, languages, toLanguage } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { loadPart } from '../lib/lazy-screen.tsx'
import { loadWords } from '../lib/load-words.ts'
import { notify } from '../lib/notices.ts'
import type { Namespace } from '../lib/words.ts'
import styles from './language-switch.module.css'

/** Uses the system font, so that one word does not load a second web font. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation()
  const index = languages.indexOf(toLanguage(i18n.language))
  const other = languages[(index + 1) % languages.length] ?? fallbackLanguage
  const change = async () => {
    try {
      await loadPart(() => loadWords(i18n, other, i18n.options.ns as Namespace[]))
      await i18n.changeLanguage(other)
    } catch {
      notify(t('client.chunkFailed'), 'error')
    }
  }
  return (
    <button type="button" lang={other} className={styles.switch} onClick={() => void change()}>
      {languageFacts[other].ownName}
    </button>
  )
}
