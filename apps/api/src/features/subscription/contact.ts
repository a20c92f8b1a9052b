import { contactUrl as urlOf } from '@kelid/contract'
import { cleanText } from './plain-text.ts'

export interface Brand {
  name: string
  /** The operator's free text: a URL, an e-mail, a handle, a phone number, or nothing. */
  contact: string
}

export const contactUrl = (contact: string): string | null => urlOf(cleanText(contact))
