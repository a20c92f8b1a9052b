import i18next from 'i18next'
import { currentLanguage } from '../../../lib/current-language.ts'
import { loadWords } from '../../../lib/load-words.ts'

/** What the app shows of the door on screens of other areas, once its words are there. */
export async function withDoorWords<Part>(part: Part): Promise<Part> {
  await loadWords(i18next, currentLanguage(), ['admin/door'])
  return part
}
