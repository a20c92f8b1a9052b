import { useTranslation } from 'react-i18next'
import { sessionStore } from '../../../lib/session.ts'
import { useStore } from '../../../lib/store.ts'
import { LinkButton } from '../../../ui/button.tsx'
import styles from './landing.module.css'

interface Props {
  toSignUp: string
  toSignIn: string
  toDashboard: string
}

export function WayIn({ toSignUp, toSignIn, toDashboard }: Props) {
  const { t } = useTranslation('visitor/home')
  const isSignedIn = useStore(sessionStore) !== null
  return (
    <div className={styles.actions}>
      {isSignedIn ? (
        <LinkButton kind="primary" to={toDashboard}>
          {t('home.toDashboard')}
        </LinkButton>
      ) : (
        <>
          <LinkButton kind="primary" to={toSignUp}>
            {t('home.start')}
          </LinkButton>
          <LinkButton to={toSignIn}>{t('home.signIn')}</LinkButton>
        </>
      )}
    </div>
  )
}
