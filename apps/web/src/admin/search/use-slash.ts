import { useCallback, useEffectEvent, useLayoutEffect, useRef } from 'react'

/** A slash typed into a field is text, and an open dialog owns the keyboard. */
const ignoresSlash = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')) ||
  document.querySelector('dialog[open]') !== null

/** Buffers keys typed after `/` until the field exists; the returned function takes them. */
export function useSlash(onSlash: () => void): () => string {
  const report = useEffectEvent(onSlash)
  /** null unless a field is about to open. */
  const earlyKeys = useRef<string | null>(null)
  // A layout effect misses no key once the screen is visible.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (earlyKeys.current !== null) {
        if (event.key.length > 1) return
        earlyKeys.current += event.key
      } else {
        if (event.key !== '/' || ignoresSlash(event.target)) return
        earlyKeys.current = ''
        report()
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return useCallback(() => {
    const keys = earlyKeys.current ?? ''
    earlyKeys.current = null
    return keys
  }, [])
}
