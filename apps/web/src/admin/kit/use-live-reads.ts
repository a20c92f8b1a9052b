import type { Call, LiveEvent } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onLiveEvent } from '../../shared/events/live-events.ts'

/** What changes together is read again once. */
const togetherMs = 300
/** Loads and signs of life change without an event. */
const againMs = 15_000

const nothing = () => false

/**
 * Keeps what a screen shows as it is on the server: read again after an event that concerns it, and now and then. Of an
 * account only its owner is told by an event.
 */
export function useLiveReads(calls: readonly Call[], isAbout: (event: LiveEvent) => boolean = nothing): void {
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
      }, togetherMs)
    })
    const now = setInterval(() => document.visibilityState === 'visible' && readAgain(), againMs)
    return () => {
      leave()
      clearTimeout(timer)
      clearInterval(now)
    }
  }, [])
}
