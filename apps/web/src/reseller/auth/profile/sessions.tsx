import { getSessions, limits, revokeSession } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './sessions.module.css'

export const useHasSessions = (): boolean => !isUnknownCall(useRead(getSessions, {}).error)

export function Sessions() {
  const { t } = useTranslation('reseller/auth')
  const language = useLanguage()
  const sessions = useRead(getSessions, {})
  useReadNotice(isUnknownCall(sessions.error) ? null : sessions.error, t('settings.sessionsFailed'))
  const revoke = useAct(revokeSession, { refreshes: [getSessions] })
  if (!sessions.data) return <ReadState read={sessions} failed={t('settings.sessionsFailed')} size="small" />

  const end = (sessionId: string) =>
    revoke.mutate(
      { body: { sessionId } },
      {
        onSuccess: () => notify(t('settings.sessionEnded'), 'success'),
        onError: (error) => notifyError(t, error),
      },
    )
  const count = sessions.data.items.length
  return (
    <>
      <p className={styles.count}>
        {t('settings.sessionCount', {
          count,
          shown: formatNumber(count, language),
          most: formatNumber(limits.sessionsPerUser, language),
        })}
      </p>
      <ul className={styles.sessions}>
        {sessions.data.items.map((session) => (
          <li key={session.sessionId} className={styles.session}>
            <div className={styles.what}>
              <bdi title={session.sessionUserAgent}>
                {browserOf(session.sessionUserAgent) ?? t('settings.unknownBrowser')}
              </bdi>
              <span className={styles.quiet}>
                <bdi dir="ltr">{session.sessionAddress}</bdi>
                {' · '}
                <When
                  date={session.sessionLastSeenDate}
                  sentence={(when) => t('settings.lastSeen', { when })}
                />
              </span>
            </div>
            {session.sessionIsCurrent ? (
              <span className={styles.quiet}>{t('settings.thisSession')}</span>
            ) : (
              <Button
                aria-label={t('settings.endSessionOf', {
                  name: browserOf(session.sessionUserAgent) ?? session.sessionAddress,
                })}
                isBusy={revoke.isPending && revoke.variables.body.sessionId === session.sessionId}
                disabled={revoke.isPending}
                onClick={() => end(session.sessionId)}
              >
                {t('settings.endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

const nameIn = (text: string, names: readonly (readonly [string, RegExp])[]) =>
  names.find(([, pattern]) => pattern.test(text))?.[0]

function browserOf(userAgent: string): string | null {
  const parts = [nameIn(userAgent, browsers), nameIn(userAgent, systems)].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(' · ') : null
}
