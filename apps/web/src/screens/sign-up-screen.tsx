import { timings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { CredentialsForm } from '../features/auth/credentials-form.tsx'
import { PasswordStrength } from '../features/auth/password-strength.tsx'
import { notify } from '../lib/notices.ts'
import { useLater } from '../lib/use-later.ts'
import styles from './panel.module.css'
import { paths } from './paths.ts'

export function SignUpScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const later = useLater()
  return (
    <div className={styles.panel}>
      <h1>{t('auth.signUpTitle')}</h1>
      <CredentialsForm
        callOf={(calls) => calls.signUp}
        submitLabel={t('auth.signUp')}
        passwordAutoComplete="new-password"
        passwordHint={(password, calls) => (
          <PasswordStrength password={password} strengthOf={calls?.strengthOf} />
        )}
        onSubmit={async (values, { send, signUp }) => {
          await send(signUp, values)
          notify(t('auth.signedUp'), 'success')
          later(() => void navigate(paths.signIn), timings.afterSignUpMs)
        }}
      />
      <p className={styles.aside}>
        {t('auth.haveAccount')} <Link to={paths.signIn}>{t('auth.signIn')}</Link>
      </p>
    </div>
  )
}
