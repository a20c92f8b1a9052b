import { useTranslation } from 'react-i18next'
import { useIsOnline } from '../lib/online.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './offline-mark.module.css'

/** Says so while the device has no network; the place is always there, so that it is read out. */
export function OfflineMark() {
  const { t } = useTranslation()
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.mark}>
          <Icon name="offline" size={16} />
          {t('shell.offline')}
        </p>
      )}
    </div>
  )
}
