import { getActivity, getDashboard } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLiveEvent } from '../../../shared/events/live-events.ts'

/** What many hosts say at once is read again once. */
const togetherMs = 500
/** Silence makes no event: a host that is down, or a job that is late, is only found by looking. */
const lookAgainMs = 30_000

/** Reads the dashboard again when a host changes, and now and then while somebody looks at it. */
export function useLiveBoard(): void {
  const client = useQueryClient()
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      waiting = undefined
      for (const { path } of [getDashboard, getActivity]) void client.invalidateQueries({ queryKey: [path] })
    }
    const leave = onLiveEvent(({ type }) => {
      if (type === 'server' || type === 'tunnel') waiting ??= setTimeout(readAgain, togetherMs)
    })
    const looking = setInterval(() => document.hidden || readAgain(), lookAgainMs)
    return () => {
      leave()
      clearTimeout(waiting)
      clearInterval(looking)
    }
  }, [client])
}
