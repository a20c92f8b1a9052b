import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { SettingsLayout, SettingsSection } from '../../ui/appearance/settings-layout.tsx'
import { PasswordForm } from '../auth/profile/password-form.tsx'
import { Sessions } from '../auth/profile/sessions.tsx'
import { SignedInAs } from '../auth/profile/signed-in-as.tsx'

export function SettingsScreen() {
  const { t } = useTranslation('reseller')
  const navigate = useNavigate()
  const account = (
    <>
      <SignedInAs onSignedOut={() => void navigate(paths.settings)} />
      <p>
        <Link to={paths.accounts}>{t('settings.toAccounts')}</Link>
      </p>
    </>
  )
  return (
    <SettingsLayout account={account}>
      <SettingsSection title={t('settings.password')}>
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title={t('settings.sessions')}>
        <Sessions />
      </SettingsSection>
    </SettingsLayout>
  )
}
