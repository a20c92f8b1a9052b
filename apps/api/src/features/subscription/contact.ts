import { contactUrl as urlOf } from '@kelid/contract'
import { cleanText } from './plain-text.ts'

export interface Brand {
  name: string
  /** Whatever the operator wrote: an address, an e-mail, a handle, a phone number, or nothing. */
  contact: string
}

/** Where a press on the contact line leads, if anywhere. */
export const contactUrl = (contact: string): string | null => urlOf(cleanText(contact))
