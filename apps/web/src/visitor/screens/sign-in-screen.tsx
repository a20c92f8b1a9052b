import { timings } from '@kelid/contract'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { configStore } from '../../lib/config.ts'
import { lazyScreen } from '../../lib/lazy-screen.tsx'
import { notify } from '../../lib/notices.ts'
import { paths } from '../../lib/paths.ts'
import { openSession } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { useIsHydrated } from '../../lib/use-is-hydrated.ts'
import { useLater } from '../../lib/use-later.ts'
import styles from '../../ui/panel.module.css'
import { CredentialsForm } from '../auth/credentials-form.tsx'

const SmsSignIn = lazyScreen(async () => (await import('./sms-sign-in.tsx')).SmsSignIn)

export function SignInScreen() {
  const { t } = useTranslation('visitor')
  const navigate = useNavigate()
  const later = useLater()
  return (
    <>
      <div className={styles.panel}>
        <h1>{t('auth.signInTitle')}</h1>
        <CredentialsForm
          callOf={(calls) => calls.signIn}
          submitLabel={t('auth.signIn')}
          passwordAutoComplete="current-password"
          onSubmit={async (values, { act, signIn }) => {
            const { token } = await act(signIn, values)
            openSession(token)
            notify(t('auth.signedIn'), 'success')
            later(() => void navigate(paths.dashboard), timings.afterSignInMs)
          }}
        />
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

/** Few operators have a gateway: everybody else's visitors are spared the bytes. */
function SmsWay() {
  const { smsEnabled } = useStore(configStore)
  return useIsHydrated() && smsEnabled && <SmsSignIn />
}
