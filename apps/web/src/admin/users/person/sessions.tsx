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

interface Asked {
  sessionId?: string
  own: boolean
}

const textOf = ({ sessionId, own }: Asked) => {
  if (!own) return 'endText'
  return sessionId ? 'ownOneText' : 'ownText'
}

export function Sessions({ userEmail }: { userEmail: string }) {
  const { t } = useTranslation('admin')
  const sessions = useRead(getUserSessions, { userEmail })
  const end = useAct(endUserSessions, { refreshes: [getUserSessions, getUserDetail] })
  const [asked, setAsked] = useState<Asked | null>(null)
  const items = sessions.data?.items ?? []
  const all = items.length > 0 && (
    <Button
      icon={adminShapes.signOut}
      onClick={() => setAsked({ own: items.some((one) => one.sessionIsCurrent) })}
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
                onClick={() => setAsked({ sessionId: session.sessionId, own: session.sessionIsCurrent })}
              >
                {t('person.sessions.end')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asked && (
        <ActDialog
          title={t(asked.sessionId ? 'person.sessions.endTitle' : 'person.sessions.endAllTitle')}
          confirm={t(asked.sessionId ? 'person.sessions.end' : 'person.sessions.endAll')}
          kind="danger"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            const { sessionId } = asked
            await end.mutateAsync({ body: { userEmail, ...(sessionId && { sessionId }) } })
            notify(t('person.sessions.ended'), 'success')
          }}
        >
          <p>{t(`person.sessions.${textOf(asked)}`)}</p>
        </ActDialog>
      )}
    </Section>
  )
}
