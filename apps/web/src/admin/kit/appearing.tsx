import { type ReactNode, useEffect, useRef } from 'react'

/** What comes to be there while somebody looks elsewhere on the screen is brought into sight. */
export function Appearing({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.scrollIntoView?.({ block: 'nearest' }), [])
  return <div ref={ref}>{children}</div>
}
