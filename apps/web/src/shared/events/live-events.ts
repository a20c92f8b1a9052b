import type { LiveEvent } from '@kelid/contract'

const listeners = new Set<(event: LiveEvent) => void>()

/** For listeners that need the event itself, such as log lines. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function emitLiveEvent(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}
