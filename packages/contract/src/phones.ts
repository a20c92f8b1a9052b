import { limits } from './limits.ts'
import { toLatinDigits } from './rules.ts'

/**
 * One spelling for one number, so that two users cannot have the same phone. Mobile numbers of Iran are spelled as at home
 * (09…), others from abroad (+49…); a number that begins with 0 elsewhere stays, for nobody knows its country.
 */
export function onePhone(phone: string): string {
  const [, iranian] = /^(?:(?:\+|00)?980?|\+?0)(9\d{9})$/.exec(phone) ?? []
  if (iranian) return `0${iranian}`
  const abroad = `+${phone.replace(/^(?:\+|00)/, '')}`
  // Outside these lengths no other spelling of it is taken either.
  const isTaken = abroad.length >= limits.phoneMin && abroad.length <= limits.phoneMax
  return isTaken && abroad[1] !== '0' ? abroad : phone
}

/** What somebody looks for, if it can be of a phone: as it stands in every spelling, without what comes before it at home or from abroad. */
export function phonePart(text: string): string | null {
  const plain = toLatinDigits(text).replace(/[\s()-]/g, '')
  return /^\+?\d{3,}$/.test(plain) ? onePhone(plain).replace(/^(?:(?:\+|00)98)?\+?0*/, '') || null : null
}
