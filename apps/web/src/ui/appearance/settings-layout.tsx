import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Appearance } from './appearance.tsx'
import { ContactLine } from './contact-line.tsx'
import { LanguagePicker } from './language-picker.tsx'
import styles from './settings-layout.module.css'

interface Props {
  account: ReactNode
  children?: ReactNode
}

export function SettingsLayout({ account, children }: Props) {
  const { t } = useTranslation('ui/appearance')
  return (
    <div className={styles.settings}>
      <h1>{t('settings.title')}</h1>
      <SettingsSection title={t('settings.account')}>{account}</SettingsSection>
      <SettingsSection title={t('settings.appearance')}>
        <Appearance />
        <div hidden>
          <LanguagePicker />
        </div>
      </SettingsSection>
      {children}
      <SettingsSection title={t('settings.contact')}>
        <ContactLine />
      </SettingsSection>
    </div>
  )
}

export const SettingsSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
)
