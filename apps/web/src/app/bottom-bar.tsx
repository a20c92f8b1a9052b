import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { paths } from '../lib/paths.ts'
import { Icon, type Shape } from '../ui/icon.tsx'
import { shapes } from '../ui/shapes.ts'
import { AdminEntryPart } from './admin-entry.tsx'
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

export function BottomBar() {
  const { t } = useTranslation()
  return (
    <nav className={styles.bottom} aria-label={t('shell.navigation')}>
      {destinations.map(({ to, icon, label }) => (
        <NavLink key={to} to={to} end={to === paths.home} className={styles.destination ?? ''}>
          <Icon shape={icon} />
          {t(label)}
        </NavLink>
      ))}
      <AdminEntryPart is="link" className={styles.destination ?? ''} />
    </nav>
  )
}
