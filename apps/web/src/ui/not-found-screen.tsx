import { useTranslation } from 'react-i18next'
import { paths } from '../lib/paths.ts'
import { LinkButton } from './button.tsx'
import styles from './panel.module.css'
import { shapes } from './shapes.ts'

export function NotFoundScreen() {
  const { t } = useTranslation()
  return (
    <div className={styles.panel}>
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <div className={styles.actions}>
        <LinkButton to={paths.home} icon={shapes.home}>
          {t('shell.home')}
        </LinkButton>
      </div>
    </div>
  )
}
