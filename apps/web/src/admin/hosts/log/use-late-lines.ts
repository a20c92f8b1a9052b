import type { HostKind, HostState } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onLiveEvent } from '../../../shared/events/live-events.ts'
import { isAboutHost } from '../host/host-event.ts'
import { kinds } from '../host/kinds.ts'

const final: readonly HostState[] = ['ready', 'failed']

/**
 * Reads the log again once the stream is open and when the host changes state, because lines written between the read
 * and the stream would go unnoticed. It restarts a running read, whose answer may be older than the event.
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
