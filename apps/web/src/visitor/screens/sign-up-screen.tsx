import { timings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { notify } from '../../lib/notices.ts'
import { paths } from '../../lib/paths.ts'
import { useLater } from '../../lib/use-later.ts'
import styles from '../../ui/panel.module.css'
import { PasswordStrength } from '../../ui/password/password-strength.tsx'
import { CredentialsForm } from '../auth/credentials-form.tsx'

export function SignUpScreen() {
  const { t } = useTranslation('visitor')
  const navigate = useNavigate()
  const later = useLater()
  return (
    <div className={styles.panel}>
      <h1>{t('auth.signUpTitle')}</h1>
      <CredentialsForm
        callOf={(calls) => calls.signUp}
        submitLabel={t('auth.signUp')}
        passwordHint={(password, calls) => (
          <PasswordStrength password={password} strengthOf={calls?.strengthOf} />
        )}
        onSubmit={async (values, { act, signUp }) => {
          await act(signUp, values)
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
