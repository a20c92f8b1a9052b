import type { Language } from '@kelid/contract'
import type { Namespace } from './words.ts'

/** Built pages say in which folder this version's words are; while developing they are among the sources. */
export function wordsUrl(language: Language, namespace: Namespace): string {
  const folder = document.getElementById('words')?.dataset.folder
  return folder ? `${folder}/${namespace}.${language}.json` : `/src/${namespace}/words/${language}.json`
}
