import { type ReactNode, useEffect, useRef } from 'react'

/** Brought into sight as soon as that is needed. */
export function useIntoSight(isNeeded: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In braces: some browsers return a promise, which React would take for the way to clean up.
    if (isNeeded) ref.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isNeeded])
  return ref
}

/** What comes to be there while somebody looks elsewhere on the screen is brought into sight. */
export const Appearing = ({ children }: { children: ReactNode }) => (
  <div ref={useIntoSight(true)}>{children}</div>
)
