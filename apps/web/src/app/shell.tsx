import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useBrand } from '../lib/brand.ts'
import { NoticeArea } from '../ui/notice.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { canonicalPath } from './canonical-path.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { useHeading } from './heading.ts'
import { OfflineMark } from './offline-mark.tsx'
import { useScrollMemory } from './scroll.ts'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

export function Shell() {
  const { t } = useTranslation()
  const { pathname, search, hash } = useLocation()
  const main = useRef<HTMLElement>(null)
  const brand = useBrand()
  useHeading(main, pathname, brand.brandName)
  useScrollMemory()
  const canonical = canonicalPath(pathname)
  if (canonical !== pathname) return <Navigate to={canonical + search + hash} replace />
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
          <Outlet />
        </ErrorBoundary>
      </main>
      <BottomBar />
    </>
  )
}
