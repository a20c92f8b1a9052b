import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { lazyScreen } from '../lib/lazy-screen.tsx'
import { paths } from '../lib/paths.ts'
import { sessionStore } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { useIsHydrated } from '../lib/use-is-hydrated.ts'
import { Icon, type Shape } from '../ui/icon.tsx'
import { shapes } from '../ui/shapes.ts'
import styles from './shell.module.css'

interface Destination {
  to: string
  icon: Shape
  label: 'shell.home' | 'shell.dashboard' | 'shell.settings'
}

const destinations: readonly Destination[] = [
  { to: paths.home, icon: shapes.home, label: 'shell.home' },
  { to: paths.dashboard, icon: shapes.dashboard, label: 'shell.dashboard' },
  { to: paths.settings, icon: shapes.settings, label: 'shell.settings' },
]

/** Only an administrator fetches it; whoever's does not arrive goes by the address. */
const WayIn = lazyScreen(() =>
  import('../admin/door/way-in/way-in.tsx').then((part) => part.loadWayIn()).catch(() => () => null),
)

export function BottomBar() {
  const { t } = useTranslation()
  const level = useStore(sessionStore)?.userLevel
  const isAdmin = useIsHydrated() && level
  return (
    <nav className={styles.bottom} aria-label={t('shell.navigation')}>
      {destinations.map(({ to, icon, label }) => (
        <NavLink key={to} to={to} end={to === paths.home} className={styles.destination ?? ''}>
          <Icon shape={icon} />
          {t(label)}
        </NavLink>
      ))}
      {isAdmin && (
        <Suspense>
          <WayIn className={styles.destination ?? ''} />
        </Suspense>
      )}
    </nav>
  )
}
