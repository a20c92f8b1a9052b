import { useCallback, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** Whoever types somewhere means the sign itself, and a dialog that is open has the keyboard to itself. */
const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')) ||
  document.querySelector('dialog[open]') !== null

/**
 * Calls back when `/` is pressed and nobody is typing. What is typed on before there is a field for it is kept until it is
 * taken, by what is returned.
 */
export function useSlash(onSlash: () => void): () => string {
  const tell = useEffectEvent(onSlash)
  /** null where nobody waits for a field. */
  const early = useRef<string | null>(null)
  // As soon as the screen is seen.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (early.current !== null) {
        if (event.key.length > 1) return
        early.current += event.key
      } else {
        if (event.key !== '/' || isTaken(event.target)) return
        early.current = ''
        tell()
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return useCallback(() => {
    const typed = early.current ?? ''
    early.current = null
    return typed
  }, [])
}
