import { type HostKind, type HostState, RefusedByServer } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain } from '../../../calls/explain.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { onLiveEvent } from '../../../shared/events/live-events.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../kit/section.tsx'
import { isAboutHost } from '../host/host-event.ts'
import { kinds } from '../host/kinds.ts'
import { useHostLog } from '../host/use-host-log.ts'
import { LogBox } from './log-box.tsx'

interface Props {
  kind: HostKind
  uuid: string
  isOpen?: boolean
  onOpen?: () => void
  children?: ReactNode
}

export function AnsibleLog({ kind, uuid, isOpen = false, onOpen, children }: Props) {
  const { t } = useTranslation('admin')
  const [isRequested, setRequested] = useState(isOpen)
  const log = useHostLog(kind, uuid, undefined, { isEnabled: isRequested })
  useLateLines(kind, uuid, log.data?.ansibleState)
  // A removed host loses its log; the removal is reported elsewhere.
  const isRemoved =
    log.data !== undefined && log.error instanceof RefusedByServer && log.error.type === 'RESOURCE_NOT_FOUND'
  const { announceAgain } = useReadNotice(isRemoved ? null : log.error, t('hosts.log.failed'))
  const get = () => {
    onOpen?.()
    announceAgain()
    if (isRequested) log.refetch()
    else setRequested(true)
  }
  return (
    <Section
      title={t('hosts.log.title')}
      actions={
        <>
          {children}
          <Button isBusy={log.isFetching} onClick={get}>
            {t(log.isFetching ? 'hosts.log.getting' : 'hosts.log.get')}
          </Button>
        </>
      }
    >
      {log.error && <Warning>{explain(t, log.error).text}</Warning>}
      {log.data && (
        <LogBox
          kind={kind}
          uuid={uuid}
          text={log.data.ansibleLog}
          readAt={log.readAt}
          onStale={log.refetch}
        />
      )}
      {!isRequested && <p>{t('hosts.log.about')}</p>}
    </Section>
  )
}

const final: readonly HostState[] = ['ready', 'failed']

/**
 * Reads the log again once the stream is open and when the host changes state, because lines written between the read
 * and the stream would go unnoticed. It restarts a running read, whose answer may be older than the event.
 */
function useLateLines(kind: HostKind, uuid: string, stateAsRead: HostState | undefined): void {
  const client = useQueryClient()
  const isWhole = useEffectEvent(() => stateAsRead !== undefined && final.includes(stateAsRead))
  const readFromStart = useEffectEvent(async () => {
    const queries = { queryKey: [kinds[kind].log.path] }
    await client.cancelQueries(queries)
    await client.invalidateQueries(queries)
  })
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (isAboutHost(event, kind, uuid) || (event.type === 'ready' && !isWhole())) void readFromStart()
      }),
    [kind, uuid],
  )
}
