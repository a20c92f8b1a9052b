import { getUser, isAdminLevel, RefusedByServer } from '@kelid/contract'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { paths } from '../../../lib/paths.ts'
import { sessionStore } from '../../../lib/session.ts'
import { useStore } from '../../../lib/store.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { shapes } from '../../../shared/shapes.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import styles from '../../../ui/screen.module.css'

/** Only explains who may not enter; the server checks every call. */
export function Guard({ children }: { children: ReactNode }) {
  const { t } = useTranslation('admin/entry')
  const isSignedIn = useStore(sessionStore) !== null
  const user = useRead(getUser, {}, { isEnabled: isSignedIn })
  const isAdmin = user.data !== undefined && isAdminLevel(user.data.userLevel)
  const failure = user.error
    ? t(user.error instanceof RefusedByServer ? 'client.verifyAdminFailed' : 'client.verifyingAdmin')
    : undefined
  const refusal = isSignedIn
    ? user.data && !isAdmin
      ? t('client.accessDenied')
      : failure
    : t('client.loginForManagement')
  useEffect(() => {
    if (refusal && !isAdmin) notify(refusal, 'error')
  }, [refusal, isAdmin])

  if (isSignedIn && isAdmin) return children
  if (isSignedIn && user.isPending)
    return (
      <div className={styles.screen}>
        <h1 data-waiting="">{t('entry.title')}</h1>
        <Loading />
      </div>
    )
  if (isSignedIn && failure)
    return (
      <div className={styles.screen}>
        <h1>{t('entry.title')}</h1>
        <ReadFailed error={null} text={failure} onRetry={() => void user.refetch()} />
      </div>
    )
  return <Denied isSignedIn={isSignedIn} />
}

function Denied({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation('admin/entry')
  return (
    <div className={`${styles.screen} ${styles.empty}`}>
      <h1>{t('client.adminAccessDenied')}</h1>
      <p>{t(isSignedIn ? 'client.accessDeniedTitle' : 'client.loginForManagement')}</p>
      {isSignedIn ? (
        <LinkButton kind="primary" icon={shapes.dashboard} to={paths.dashboard}>
          {t('entry.toDashboard')}
        </LinkButton>
      ) : (
        <LinkButton kind="primary" icon={shapes.signIn} to={paths.signIn}>
          {t('entry.signIn')}
        </LinkButton>
      )}
    </div>
  )
}
