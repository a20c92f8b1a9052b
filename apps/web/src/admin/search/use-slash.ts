import { useEffect, useEffectEvent } from 'react'

/** Whoever types somewhere means the sign itself, and a dialog that is open has the keyboard to itself. */
const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')) ||
  document.querySelector('dialog[open]') !== null

/** Calls back when `/` is pressed and nobody is typing. */
export function useSlash(onSlash: () => void): void {
  const tell = useEffectEvent(onSlash)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return
      event.preventDefault()
      tell()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
