import { contactUrl } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useBrand } from '../../lib/brand.ts'

export function ContactLine() {
  const { t } = useTranslation('ui/appearance')
  const contact = useBrand().brandContact.trim()
  if (contact === '') return <p>{t('settings.contactNone')}</p>
  return (
    <p>
      {t('settings.contactText')} <ContactLink contact={contact} />
    </p>
  )
}

export function ContactLink({ contact }: { contact: string }) {
  const url = contactUrl(contact)
  if (url === null) return <bdi>{contact}</bdi>
  return (
    <a href={url} rel="noopener noreferrer">
      <bdi dir="ltr">{contact}</bdi>
    </a>
  )
}
