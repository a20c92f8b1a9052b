import type { LiveEvent } from '@kelid/contract'

const listeners = new Set<(event: LiveEvent) => void>()

export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function emitLiveEvent(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}
