import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** Mounts its children when they scroll into view, because on a phone they are below the main content. */
export function WhenVisible({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setVisible(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place}>
      {isVisible ? <Suspense fallback={<Loading mode="skeleton" />}>{children}</Suspense> : <Skeleton />}
    </div>
  )
}
