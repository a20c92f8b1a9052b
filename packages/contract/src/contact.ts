/** null for a handle or a number, which is shown as text only. */
export function contactUrl(contact: string): string | null {
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(contact)) return `mailto:${contact}`
  return /^(?:https?|mailto|tg):/i.test(contact) && URL.canParse(contact) ? new URL(contact).href : null
}
