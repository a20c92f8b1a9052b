import { Suspense, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useBrand } from '../lib/brand.ts'
import { isPictured } from '../lib/picture.ts'
import { Loading } from '../ui/loading.tsx'
import { NoticeArea } from '../ui/notice.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { canonicalPath } from './canonical-path.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { useHeading } from './heading.ts'
import { OfflineMark } from './offline-mark.tsx'
import { useScrollMemory } from './scroll.ts'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

/** Top bar, the screen, bottom bar. */
export function Shell() {
  const { t } = useTranslation()
  const { pathname, search, hash } = useLocation()
  const main = useRef<HTMLElement>(null)
  const brand = useBrand()
  useHeading(main, pathname, brand.brandName)
  useScrollMemory()
  useTakeOverAtOnce()
  const wanted = canonicalPath(pathname)
  if (wanted !== pathname) return <Navigate to={wanted + search + hash} replace />
  const area = pathname.split('/')[1]
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <NoticeArea />
      <TopBar />
      <OfflineMark />
      <main ref={main} className={styles.main} id="main" tabIndex={-1}>
        <ErrorBoundary pathname={pathname}>
          <Suspense key={area} fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <BottomBar />
    </>
  )
}

/**
 * React takes over what is within a boundary of the page when the browser is idle, but at once when something above it
 * changes. A picture shows nothing of use until it is taken over; a form can be looked at meanwhile.
 */
function useTakeOverAtOnce(): void {
  const [, setTakenOver] = useState(false)
  useLayoutEffect(() => setTakenOver(isPictured), [])
}
