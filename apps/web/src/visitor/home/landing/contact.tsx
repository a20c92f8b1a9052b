import { useTranslation } from 'react-i18next'
import { useBrand } from '../../../lib/brand.ts'
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts'
import { ContactLink } from '../../../ui/appearance/contact-line.tsx'
import styles from './landing.module.css'

export const contactId = 'contact'

export function Contact() {
  const { t } = useTranslation('visitor/home')
  const isHydrated = useIsHydrated()
  const contact = useBrand().brandContact.trim()
  return (
    <section className={styles.part} id={contactId}>
      <h2>{t('home.contact.title')}</h2>
      <p>{t('home.contact.text')}</p>
      <p className={styles.contact}>
        {isHydrated && (contact ? <ContactLink contact={contact} /> : t('home.contact.none'))}
      </p>
    </section>
  )
}
