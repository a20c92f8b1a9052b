import { timings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { CredentialsForm } from '../features/auth/credentials-form.tsx'
import { notify } from '../lib/notices.ts'
import { openSession } from '../lib/session.ts'
import { useLater } from '../lib/use-later.ts'
import styles from './panel.module.css'
import { paths } from './paths.ts'

export function SignInScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const later = useLater()
  return (
    <div className={styles.panel}>
      <h1>{t('auth.signInTitle')}</h1>
      <CredentialsForm
        callOf={(calls) => calls.signIn}
        submitLabel={t('auth.signIn')}
        passwordAutoComplete="current-password"
        onSubmit={async (values, { send, signIn }) => {
          const { token } = await send(signIn, values)
          openSession(token)
          notify(t('auth.signedIn'), 'success')
          later(() => void navigate(paths.dashboard), timings.afterSignInMs)
        }}
      />
      <p className={styles.aside}>
        {t('auth.noAccountYet')} <Link to={paths.signUp}>{t('auth.signUp')}</Link>
      </p>
    </div>
  )
}
