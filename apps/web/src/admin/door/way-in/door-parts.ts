import i18next from 'i18next'
import { currentLanguage } from '../../../lib/current-language.ts'
import { loadWords } from '../../../lib/load-words.ts'
import { SecondFactorOffer } from './offer.tsx'
import { WayIn } from './way-in.tsx'

/** What administrators are shown on screens of other areas too. */
const parts = { WayIn, SecondFactorOffer }

/** One of them, once its words are there. */
export async function loadDoorPart<Name extends keyof typeof parts>(name: Name) {
  await loadWords(i18next, currentLanguage(), ['admin/door'])
  return parts[name]
}
