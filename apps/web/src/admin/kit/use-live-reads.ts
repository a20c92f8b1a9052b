import type { Call, LiveEvent } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onLiveEvent } from '../../shared/events/live-events.ts'

/** Load and heartbeats change without an event. */
const usualTimes = { batchMs: 300, pollMs: 15_000 }

const nothing = () => false

/** Reads again after events and by polling; account events reach only the owner. */
export function useLiveReads(
  calls: readonly Call[],
  isAbout: (event: LiveEvent) => boolean = nothing,
  { batchMs, pollMs } = usualTimes,
): void {
  const client = useQueryClient()
  const readAgain = useEffectEvent(() => {
    for (const { path } of calls) void client.invalidateQueries({ queryKey: [path] })
  })
  const concerns = useEffectEvent(isAbout)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = onLiveEvent((event) => {
      if (!concerns(event) || timer) return
      timer = setTimeout(() => {
        timer = undefined
        readAgain()
      }, batchMs)
    })
    const now = setInterval(() => document.visibilityState === 'visible' && readAgain(), pollMs)
    return () => {
      leave()
      clearTimeout(timer)
      clearInterval(now)
    }
  }, [batchMs, pollMs])
}
