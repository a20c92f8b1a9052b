import { useTranslation } from 'react-i18next'
import { useIsOnline } from '../lib/online.ts'
import { Icon } from '../ui/icon.tsx'
import { shapes } from '../ui/shapes.ts'
import styles from './offline-mark.module.css'

/** Says so while the device has no network; the region is always there, so that it is read out. */
export function OfflineMark() {
  const { t } = useTranslation()
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.mark}>
          <Icon shape={shapes.offline} size={16} />
          {t('shell.offline')}
        </p>
      )}
    </div>
  )
}
