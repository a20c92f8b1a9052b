import { type Language, languages } from '@kelid/contract'
import { type Namespace, namespaces } from '../lib/words.ts'

const files = import.meta.glob<object>('/src/**/words/*.json', { import: 'default', eager: true })

/** Only prerendering and tests use this; browsers fetch the namespaces they show. */
export function wordsIn(
  language: Language,
  names: readonly Namespace[] = namespaces,
): Partial<Record<Namespace, object>> {
  const entries = names.map((namespace) => {
    const words = files[`/src/${namespace}/words/${language}.json`]
    if (!words) throw new Error(`There are no words of ${namespace} in ${language}`)
    return [namespace, words] as const
  })
  return Object.fromEntries(entries)
}

export const strayWords = Object.keys(files).filter(
  (file) => !namespaces.some((name) => languages.some((one) => file === `/src/${name}/words/${one}.json`)),
)
