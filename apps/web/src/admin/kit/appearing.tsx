import { type ReactNode, useEffect, useRef } from 'react'

export function useScrollIntoView(isNeeded: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The braces drop a promise that some browsers return; React would take it for a cleanup function.
    if (isNeeded) ref.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isNeeded])
  return ref
}

export const Appearing = ({ children }: { children: ReactNode }) => (
  <div ref={useScrollIntoView(true)}>{children}</div>
)
