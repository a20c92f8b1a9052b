import { endUserSessions, getUserDetail, getUserSessions } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Count } from '../../kit/count.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './person.module.css'

interface EndRequest {
  sessionId?: string
  isOwn: boolean
}

const textOf = ({ sessionId, isOwn }: EndRequest) => {
  if (!isOwn) return 'endText'
  return sessionId ? 'ownOneText' : 'ownText'
}

export function Sessions({ userEmail }: { userEmail: string }) {
  const { t } = useTranslation('admin')
  const sessions = useRead(getUserSessions, { userEmail })
  const end = useAct(endUserSessions, { refreshes: [getUserSessions, getUserDetail] })
  const [endRequest, setEndRequest] = useState<EndRequest | null>(null)
  const items = sessions.data?.items ?? []
  const all = items.length > 0 && (
    <Button
      icon={adminShapes.signOut}
      onClick={() => setEndRequest({ isOwn: items.some((one) => one.sessionIsCurrent) })}
    >
      {t('person.sessions.endAll')}
    </Button>
  )
  return (
    <Section title={t('person.sessions.title')} actions={all}>
      {sessions.isPending && <Loading mode="skeleton" size="small" />}
      {sessions.error && (
        <ReadFailed
          error={sessions.error}
          text={t('person.sessions.failed')}
          onRetry={() => void sessions.refetch()}
        />
      )}
      {sessions.data && items.length === 0 && <p>{t('person.sessions.none')}</p>}
      {items.length > 0 && <Count total={items.length} />}
      {items.length > 0 && (
        <ul className={styles.sessions}>
          {items.map((session) => (
            <li key={session.sessionId} className={styles.session}>
              <span className={styles.what}>
                <bdi dir="ltr">{session.sessionUserAgent || t('person.unknown')}</bdi>
                <span>
                  <bdi dir="ltr">{session.sessionAddress}</bdi>
                  {' · '}
                  <When
                    date={session.sessionLastSeenDate}
                    sentence={(when) => t('person.sessions.seen', { when })}
                  />
                  {session.sessionIsCurrent && ` · ${t('person.sessions.own')}`}
                </span>
              </span>
              <Button
                aria-label={t('person.sessions.endOf', { address: session.sessionAddress })}
                onClick={() =>
                  setEndRequest({ sessionId: session.sessionId, isOwn: session.sessionIsCurrent })
                }
              >
                {t('person.sessions.end')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {endRequest && (
        <ActDialog
          title={t(endRequest.sessionId ? 'person.sessions.endTitle' : 'person.sessions.endAllTitle')}
          confirm={t(endRequest.sessionId ? 'person.sessions.end' : 'person.sessions.endAll')}
          kind="danger"
          onClose={() => setEndRequest(null)}
          onConfirm={async () => {
            const { sessionId } = endRequest
            await end.mutateAsync({ body: { userEmail, ...(sessionId && { sessionId }) } })
            notify(t('person.sessions.ended'), 'success')
          }}
        >
          <p>{t(`person.sessions.${textOf(endRequest)}`)}</p>
        </ActDialog>
      )}
    </Section>
  )
}
