import { type ReactNode, useEffect, useRef } from 'react'

/** What comes to be there while somebody looks elsewhere on the screen is brought into sight. */
export function Appearing({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In braces: some browsers return a promise, which React would take for the way to clean up.
    ref.current?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return <div ref={ref}>{children}</div>
}
