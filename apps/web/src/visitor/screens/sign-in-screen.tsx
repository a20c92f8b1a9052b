import { timings } from '@kelid/contract'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { configStore } from '../../lib/config.ts'
import { lazyScreen } from '../../lib/lazy-screen.tsx'
import { paths } from '../../lib/paths.ts'
import { useStore } from '../../lib/store.ts'
import { useIsHydrated } from '../../lib/use-is-hydrated.ts'
import { useLater } from '../../lib/use-later.ts'
import styles from '../../ui/panel.module.css'
import { CredentialsForm } from '../auth/credentials-form.tsx'
import type { SignInState } from '../auth/sign-in-steps.ts'

const SmsSignIn = lazyScreen(async () => (await import('./sms-sign-in.tsx')).SmsSignIn)

export function SignInScreen() {
  const { t } = useTranslation('visitor')
  const navigate = useNavigate()
  const later = useLater()
  const [[credentials, step], show] = useState<SignInState>([])
  const onWelcome = () => later(() => void navigate(paths.dashboard), timings.afterSignInMs)
  return (
    <>
      <div className={styles.panel}>
        <h1>{t('auth.signInTitle')}</h1>
        {step ?? (
          <CredentialsForm
            callOf={(calls) => calls.signIn}
            submitLabel={t('auth.signIn')}
            initial={credentials}
            onSubmit={(values, { enter }) => enter(values, t, onWelcome, show)}
          />
        )}
        <p className={styles.aside}>
          {t('auth.noAccountYet')} <Link to={paths.signUp}>{t('auth.signUp')}</Link>
        </p>
      </div>
      <Suspense>
        <SmsWay />
      </Suspense>
    </>
  )
}

/** Few operators have an SMS gateway, so the form is a separate chunk. */
function SmsWay() {
  const { smsEnabled } = useStore(configStore)
  return useIsHydrated() && smsEnabled && <SmsSignIn />
}
