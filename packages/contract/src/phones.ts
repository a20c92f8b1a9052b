import { limits } from './limits.ts'
import { toLatinDigits } from './rules.ts'

/**
 * The canonical form of a number, so that two users cannot have the same phone. Iranian mobile numbers are national
 * (09…), others international (+49…). Other numbers with a leading 0 stay, because their country is unknown.
 */
export function onePhone(phone: string): string {
  const [, iranian] = /^(?:(?:\+|00)?980?|\+?0)(9\d{9})$/.exec(phone) ?? []
  if (iranian) return `0${iranian}`
  const abroad = `+${phone.replace(/^(?:\+|00)/, '')}`
  // Other spellings of a number outside these lengths are refused too.
  const isAccepted = abroad.length >= limits.phoneMin && abroad.length <= limits.phoneMax
  return isAccepted && abroad[1] !== '0' ? abroad : phone
}

/** The part of a searched phone number that all its spellings share; null if the text is no phone number. */
export function phonePart(text: string): string | null {
  const plain = toLatinDigits(text).replace(/[\s()-]/g, '')
  return /^\+?\d{3,}$/.test(plain) ? onePhone(plain).replace(/^(?:(?:\+|00)98)?\+?0*/, '') || null : null
}
