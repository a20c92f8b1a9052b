import { useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

const storageKey = 'kelid.scroll'
const restoreTimeoutMs = 2_000

/** Scroll positions by history entry; they survive a reload. */
const positions: Record<string, number> = {}
if (typeof window !== 'undefined') {
  try {
    Object.assign(positions, JSON.parse(sessionStorage.getItem(storageKey) ?? '{}'))
    window.addEventListener('pagehide', () => sessionStorage.setItem(storageKey, JSON.stringify(positions)))
  } catch {
    // A reload starts at the top if there is no storage.
  }
}

/** Going back restores the position once the page is long enough. */
export function useScrollMemory(): void {
  const location = useLocation()
  const { hash } = location
  // The first entry of every visit has the key 'default', so its address identifies it.
  const key = location.key === 'default' ? location.pathname + location.search : location.key
  const isBack = useNavigationType() === 'POP'

  useLayoutEffect(() => {
    history.scrollRestoration = 'manual'
    let frame = 0
    // Reading the position right after the event would force a layout, so it waits for the next frame.
    const remember = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        positions[key] = window.scrollY
      })
    }
    window.addEventListener('scroll', remember, { passive: true })
    // Runs before the paint: removing the old screen also scrolls, and that is not its position.
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', remember)
    }
  }, [key])

  useLayoutEffect(() => {
    if (hash) return
    const target = isBack ? (positions[key] ?? 0) : 0
    const isThere = () => {
      window.scrollTo(0, target)
      return Math.abs(window.scrollY - target) < 2
    }
    if (isThere()) return
    const observer = new ResizeObserver(() => isThere() && observer.disconnect())
    observer.observe(document.body)
    const stop = () => observer.disconnect()
    const timer = setTimeout(stop, restoreTimeoutMs)
    const inputs = ['wheel', 'touchstart', 'keydown'] as const
    for (const input of inputs) window.addEventListener(input, stop, { once: true, passive: true })
    return () => {
      stop()
      clearTimeout(timer)
      for (const input of inputs) window.removeEventListener(input, stop)
    }
  }, [key, hash, isBack])
}
