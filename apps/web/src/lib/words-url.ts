import type { Language } from '@kelid/contract'
import type { Namespace } from './words.ts'

/** Production pages name the folder of their version; development reads the sources. */
export function wordsUrl(language: Language, namespace: Namespace): string {
  const folder = document.getElementById('words')?.dataset.folder
  return folder ? `${folder}/${namespace}.${language}.json` : `/src/${namespace}/words/${language}.json`
}
