import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SettingsLayout, SettingsSection } from '../../../ui/appearance/settings-layout.tsx'
import { ContactForm, useContact } from './contact-form.tsx'
import { Copies } from './copies.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions, useHasSessions } from './sessions.tsx'
import { SignedInAs } from './signed-in-as.tsx'

interface Props {
  toAccounts: string
  onSignedOut: () => void
}

export function Profile({ toAccounts, onSignedOut }: Props) {
  const { t } = useTranslation('reseller/auth')
  const contact = useContact()
  const account = (
    <>
      <SignedInAs onSignedOut={onSignedOut} />
      <p>
        <Link to={toAccounts}>{t('settings.toAccounts')}</Link>
      </p>
    </>
  )
  return (
    <SettingsLayout account={account}>
      {contact !== undefined && (
        <SettingsSection title={t('settings.customersContact')}>
          <ContactForm saved={contact} />
        </SettingsSection>
      )}
      <SettingsSection title={t('settings.password')}>
        <PasswordForm />
      </SettingsSection>
      {useHasSessions() && (
        <SettingsSection title={t('settings.sessions')}>
          <Sessions />
        </SettingsSection>
      )}
      <SettingsSection title={t('settings.copies')}>
        <Copies />
      </SettingsSection>
    </SettingsLayout>
  )
}
