import type { HostKind, HostState } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onLiveEvent } from '../../../shared/events/live-events.ts'
import { isAboutHost } from '../host/host-event.ts'
import { kinds } from '../host/kinds.ts'

const final: readonly HostState[] = ['ready', 'failed']

/**
 * Lines that were written after the log was read and before anybody listened: if none comes after them nobody would miss them.
 * So it is read again once the stream has begun, unless it was whole by then, and when the host is in another state; from
 * the start, where it is on its way, since that answer may be older than the news.
 */
export function useLateLines(kind: HostKind, uuid: string, stateAsRead: HostState | undefined): void {
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
