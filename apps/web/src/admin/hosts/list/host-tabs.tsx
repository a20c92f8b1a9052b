import type { HostKind } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './host-tabs.module.css'

export function HostTabs({ current, to }: { current: HostKind; to: Readonly<Record<HostKind, string>> }) {
  const { t } = useTranslation('admin')
  return (
    <nav className={styles.tabs} aria-label={t('hosts.kinds')}>
      <Link to={to.server} aria-current={current === 'server' ? 'page' : undefined}>
        {t('servers.title')}
      </Link>
      <Link to={to.tunnel} aria-current={current === 'tunnel' ? 'page' : undefined}>
        {t('tunnels.title')}
      </Link>
    </nav>
  )
}
