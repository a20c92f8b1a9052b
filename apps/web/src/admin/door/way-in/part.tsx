import i18next from 'i18next'
import { currentLanguage } from '../../../lib/current-language.ts'
import { loadWords } from '../../../lib/load-words.ts'
import { SecondFactorOffer } from './offer.tsx'
import { WayIn } from './way-in.tsx'

export type DoorPartProps = { is: 'way-in'; className: string } | { is: 'offer' }

const Part = (props: DoorPartProps) =>
  props.is === 'way-in' ? <WayIn className={props.className} /> : <SecondFactorOffer />

export async function loadPart() {
  await loadWords(i18next, currentLanguage(), ['admin/door'])
  return Part
}
