import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { useBrand } from '../lib/brand.ts'
import { paths } from '../screens/paths.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon-shapes.ts'
import { Loading } from '../ui/loading.tsx'
import { NoticeArea } from '../ui/notice.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { OfflineMark } from './offline-mark.tsx'
import styles from './shell.module.css'

/** Top bar, the screen, bottom bar. */
export const Shell = () => (
  <>
    <NoticeArea />
    <TopBar />
    <OfflineMark />
    <main className={styles.main} id="main">
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </main>
    <BottomBar />
  </>
)

/** The logo at home, elsewhere an arrow that goes one step back. */
function TopBar() {
  const { t } = useTranslation()
  const { pathname, key } = useLocation()
  const navigate = useNavigate()
  const brand = useBrand()
  const isFirstPage = key === 'default'
  return (
    <header className={styles.top}>
      {pathname === paths.home ? (
        <span className={styles.logo}>
          <Icon name="key" size={24} />
          <bdi>{brand.brandName}</bdi>
        </span>
      ) : (
        <IconButton
          icon="back"
          isMirrored
          label={t('shell.back')}
          onClick={() => (isFirstPage ? navigate(paths.home) : navigate(-1))}
        />
      )}
      <LanguageSwitch />
    </header>
  )
}

const places: readonly { to: string; icon: IconName; label: 'shell.home' | 'shell.dashboard' | 'shell.settings' }[] = [
  { to: paths.home, icon: 'home', label: 'shell.home' },
  { to: paths.dashboard, icon: 'dashboard', label: 'shell.dashboard' },
  { to: paths.settings, icon: 'settings', label: 'shell.settings' },
]

function BottomBar() {
  const { t } = useTranslation()
  return (
    <nav className={styles.bottom} aria-label={t('shell.navigation')}>
      {places.map(({ to, icon, label }) => (
        <NavLink key={to} to={to} end={to === paths.home} className={styles.place ?? ''}>
          <Icon name={icon} />
          {t(label)}
        </NavLink>
      ))}
    </nav>
  )
}
