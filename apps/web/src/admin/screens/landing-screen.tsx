import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/button.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { adminPaths } from '../paths.ts'
import styles from './landing-screen.module.css'

export function LandingScreen() {
  const { t } = useTranslation('admin')
  return (
    <div className={styles.landing}>
      <h1>{t('admin.title')}</h1>
      <section className={styles.way}>
        <LinkButton kind="primary" icon={adminShapes.server} isWide to={adminPaths.vpn}>
          {t('admin.vpn')}
        </LinkButton>
        <p>{t('admin.vpnText')}</p>
      </section>
      <section className={styles.way}>
        <LinkButton kind="primary" icon={adminShapes.people} isWide to={adminPaths.management}>
          {t('admin.management')}
        </LinkButton>
        <p>{t('admin.managementText')}</p>
      </section>
    </div>
  )
}
