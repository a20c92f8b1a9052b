import i18next from 'i18next'
import { currentLanguage } from '../../../lib/current-language.ts'
import { loadWords } from '../../../lib/load-words.ts'
import { SecondFactorOffer } from './offer.tsx'
import { AdminLink } from './way-in.tsx'

export type AdminEntryPartProps = { is: 'way-in'; className: string } | { is: 'offer' }

const Part = (props: AdminEntryPartProps) =>
  props.is === 'way-in' ? <AdminLink className={props.className} /> : <SecondFactorOffer />

export async function loadPart() {
  await loadWords(i18next, currentLanguage(), ['admin/door'])
  return Part
}
