import { useTranslation } from 'react-i18next'
import styles from '../../ui/screen.module.css'
import { Statement } from '../credit/statement/statement.tsx'

export function StatementScreen() {
  const { t } = useTranslation('reseller')
  return (
    <div className={styles.screen}>
      <h1>{t('statement.title')}</h1>
      <Statement title={t('statement.title')} />
    </div>
  )
}
