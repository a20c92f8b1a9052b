import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { paths } from '../screens/paths.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import styles from './shell.module.css'

interface Place {
  to: string
  icon: IconName
  label: 'shell.home' | 'shell.dashboard' | 'shell.settings'
}

const places: readonly Place[] = [
  { to: paths.home, icon: 'home', label: 'shell.home' },
  { to: paths.dashboard, icon: 'dashboard', label: 'shell.dashboard' },
  { to: paths.settings, icon: 'settings', label: 'shell.settings' },
]

export function BottomBar() {
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
