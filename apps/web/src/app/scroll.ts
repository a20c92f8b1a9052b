import { useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const positions = new Map<string, number>()
const patienceMs = 2_000

/** A new screen begins at its top; going back leads to where one was, once the page is long enough again. */
export function useScrollMemory(): void {
  const { key, hash } = useLocation()
  const isBack = useNavigationType() === 'POP'

  // Before the paint: the old screen's going away scrolls too, and must not count as the old screen's position.
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual'
    const remember = () => positions.set(key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [key])

  useLayoutEffect(() => {
    if (hash) return
    const wanted = isBack ? (positions.get(key) ?? 0) : 0
    const isThere = () => {
      window.scrollTo(0, wanted)
      return Math.abs(window.scrollY - wanted) < 2
    }
    if (isThere()) return
    const observer = new ResizeObserver(() => isThere() && observer.disconnect())
    observer.observe(document.body)
    const stop = () => observer.disconnect()
    const timer = setTimeout(stop, patienceMs)
    const inputs = ['wheel', 'touchstart', 'keydown'] as const
    for (const input of inputs) window.addEventListener(input, stop, { once: true, passive: true })
    return () => {
      stop()
      clearTimeout(timer)
      for (const input of inputs) window.removeEventListener(input, stop)
    }
  }, [key, hash, isBack])
}
