import { cleanText } from './plain-text.ts'

export interface Brand {
  name: string
  /** Whatever the operator wrote: an address, an e-mail, a handle, a phone number, or nothing. */
  contact: string
}

/** Where a press on the contact line leads; null for a handle or a number, which is shown as text only. */
export const contactUrl = (contact: string): string | null => {
  const text = cleanText(contact)
  if (/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(text)) return `mailto:${text}`
  return /^(https?|mailto|tg):/i.test(text) && URL.canParse(text) ? new URL(text).href : null
}
