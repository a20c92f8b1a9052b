import { useTranslation } from 'react-i18next'
import { useBrand } from '../../lib/brand.ts'

/** Where a press on the contact leads; null for a handle or a number, which is shown as text only. */
export function contactUrl(contact: string): string | null {
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(contact)) return `mailto:${contact}`
  return /^(?:https?|mailto|tg):/i.test(contact) && URL.canParse(contact) ? contact : null
}

/** How to reach the operator for business: whatever the operator wrote. */
export function ContactLine() {
  const { t } = useTranslation()
  const contact = useBrand().brandContact.trim()
  if (contact === '') return <p>{t('settings.contactNone')}</p>
  const url = contactUrl(contact)
  return (
    <p>
      {t('settings.contactText')}{' '}
      {url ? (
        <a href={url} rel="noopener noreferrer">
          <bdi dir="ltr">{contact}</bdi>
        </a>
      ) : (
        <bdi>{contact}</bdi>
      )}
    </p>
  )
}
