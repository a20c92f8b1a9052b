import { useTranslation } from 'react-i18next'
import { Statement } from '../features/statement/statement.tsx'
import styles from './dashboard-screen.module.css'

export function StatementScreen() {
  const { t } = useTranslation()
  return (
    <div className={styles.dashboard}>
      <h1>{t('statement.title')}</h1>
      <Statement />
    </div>
  )
}
