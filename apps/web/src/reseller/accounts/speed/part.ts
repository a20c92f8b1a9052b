import i18next from 'i18next'
import { currentLanguage } from '../../../lib/current-language.ts'
import { loadWords } from '../../../lib/load-words.ts'
import { SpeedPanel } from './speed-panel.tsx'

export async function loadPart() {
  await loadWords(i18next, currentLanguage(), ['reseller/accounts/speed'])
  return SpeedPanel
}
