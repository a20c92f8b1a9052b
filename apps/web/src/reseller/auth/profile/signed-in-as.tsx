import { getUser, signOut } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { act } from '../../../calls/api.ts'
import { closeSession } from '../../../lib/session.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import styles from './signed-in-as.module.css'

/** Signing out clears the device even if the server cannot be reached. */
export function SignedInAs({ onSignedOut }: { onSignedOut: () => void }) {
  const { t } = useTranslation('reseller/auth')
  const user = useRead(getUser, {})
  useReadNotice(user.error, t('client.fetchingUser'))
  const [isBusy, setBusy] = useState(false)

  async function leave() {
    setBusy(true)
    await act(signOut, {}, { signal: AbortSignal.timeout(5_000) }).catch(() => {})
    closeSession()
    onSignedOut()
  }

  return (
    <>
      {user.data ? (
        <p className={styles.who}>
          <span className={styles.quiet}>{t('settings.signedInAs')}</span>
          <bdi dir="ltr">{user.data.userEmail}</bdi>
        </p>
      ) : user.isError ? (
        <ReadFailed error={user.error} text={t('client.fetchingUser')} onRetry={() => void user.refetch()} />
      ) : (
        <Loading mode="dots" size="small" />
      )}
      <div>
        <Button icon={shapes.signOut} isBusy={isBusy} onClick={() => void leave()}>
          {t('settings.signOut')}
        </Button>
        {isBusy && <Loading variant="full-screen" />}
      </div>
    </>
  )
}
