import { useState } from 'react'
import { languageStore } from '../lib/current-language.ts'
import { formatFromNow, formatMoment } from '../lib/format.ts'
import { useStore } from '../lib/store.ts'
import styles from './when.module.css'

interface Props {
  date: string
  /** Other words for it than how far it is from now. */
  words?: string
  /** What it stands in the middle of. */
  sentence?: (when: string) => string
}

/** When something is, in the words people use; a press, by finger or by keyboard, tells the exact moment and takes it back. */
export function When({ date, words, sentence = (when) => when }: Props) {
  // Long lists have one in every row, and asking i18next for the language there costs more than the row.
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
