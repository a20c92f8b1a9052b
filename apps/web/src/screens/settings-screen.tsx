import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { PasswordForm } from '../features/auth/password-form.tsx'
import { Sessions } from '../features/auth/sessions.tsx'
import { SignedInAs } from '../features/auth/signed-in-as.tsx'
import { Appearance } from '../features/settings/appearance.tsx'
import { ContactLine } from '../features/settings/contact-line.tsx'
import { LanguagePicker } from '../features/settings/language-picker.tsx'
import { sessionStore } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { LinkButton } from '../ui/button.tsx'
import { paths } from './paths.ts'
import styles from './settings-screen.module.css'

export function SettingsScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isSignedIn = useStore(sessionStore) !== null
  return (
    <div className={styles.settings}>
      <h1>{t('settings.title')}</h1>
      <Section title={t('settings.account')}>
        {isSignedIn ? (
          <>
            <SignedInAs onSignedOut={() => void navigate(paths.settings)} />
            <p>
              <Link to={paths.accounts}>{t('settings.toAccounts')}</Link>
            </p>
          </>
        ) : (
          <>
            <p>{t('settings.signedOut')}</p>
            <div>
              <LinkButton kind="primary" icon="signIn" to={paths.signIn}>
                {t('auth.signIn')}
              </LinkButton>
            </div>
          </>
        )}
      </Section>
      <Section title={t('settings.appearance')}>
        <Appearance />
        <div hidden>
          <LanguagePicker />
        </div>
      </Section>
      {isSignedIn && (
        <>
          <Section title={t('settings.password')}>
            <p className={styles.quiet}>{t('settings.passwordText')}</p>
            <PasswordForm />
          </Section>
          <Section title={t('settings.sessions')}>
            <Sessions />
          </Section>
        </>
      )}
      <Section title={t('settings.contact')}>
        <ContactLine />
      </Section>
    </div>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
)
