import { useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const kept = 'kelid.scroll'
const patienceMs = 2_000

/** Where each step of the history was scrolled to; a reload finds it again. */
const positions: Record<string, number> = {}
if (typeof window !== 'undefined') {
  try {
    Object.assign(positions, JSON.parse(sessionStorage.getItem(kept) ?? '{}'))
    window.addEventListener('pagehide', () => sessionStorage.setItem(kept, JSON.stringify(positions)))
  } catch {
    // Without storage a reload begins at the top.
  }
}

/** A new screen begins at its top; going back leads to where one was, once the page is long enough again. */
export function useScrollMemory(): void {
  const location = useLocation()
  const { hash } = location
  // The first step of every visit has the same key: it is known by its address, so that another one begins at its top.
  const key = location.key === 'default' ? location.pathname + location.search : location.key
  const isBack = useNavigationType() === 'POP'

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual'
    let frame = 0
    // In the next frame: right after an event the position is known only by laying out the page once more.
    const remember = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        positions[key] = window.scrollY
      })
    }
    window.addEventListener('scroll', remember, { passive: true })
    // Before the paint: the old screen's going away scrolls too, and must not count as the old screen's position.
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', remember)
    }
  }, [key])

  useLayoutEffect(() => {
    if (hash) return
    const wanted = isBack ? (positions[key] ?? 0) : 0
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
