import { getActivity, getDashboard } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onLiveEvent } from '../../../shared/events/live-events.ts'

const batchMs = 500
/** Silence causes no event, so hosts that are down and late jobs are found by polling. */
const pollMs = 30_000

export function useLiveBoard(): void {
  const client = useQueryClient()
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const readAgain = () => {
      waiting = undefined
      for (const { path } of [getDashboard, getActivity]) void client.invalidateQueries({ queryKey: [path] })
    }
    const leave = onLiveEvent(({ type }) => {
      if (type === 'server' || type === 'tunnel') waiting ??= setTimeout(readAgain, batchMs)
    })
    const poll = setInterval(() => document.hidden || readAgain(), pollMs)
    return () => {
      leave()
      clearTimeout(waiting)
      clearInterval(poll)
    }
  }, [client])
}
