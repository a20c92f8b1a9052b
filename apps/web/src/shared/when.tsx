import { useState } from 'react'
import { languageStore } from '../lib/current-language.ts'
import { formatFromNow, formatMoment } from '../lib/format.ts'
import { useStore } from '../lib/store.ts'
import styles from './when.module.css'

interface Props {
  date: string
  words?: string
  sentence?: (when: string) => string
}

export function When({ date, words, sentence = (when) => when }: Props) {
  // Reads the store, because useTranslation in every row costs more than the row.
  const language = useStore(languageStore)
  const [isExact, setExact] = useState(false)
  const exact = formatMoment(date, language)
  const [before, after] = sentence('\n').split('\n')
  return (
    <>
      {before}
      <button type="button" className={styles.when} title={exact} onClick={() => setExact(!isExact)}>
        <time dateTime={date}>{isExact ? exact : (words ?? formatFromNow(date, language))}</time>
      </button>
      {after}
    </>
  )
}
