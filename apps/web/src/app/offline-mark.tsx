import { useTranslation } from 'react-i18next'
import { useIsOnline } from '../lib/online.ts'
import { Icon } from '../ui/icon.tsx'
import { shapes } from '../ui/shapes.ts'
import styles from './offline-mark.module.css'

/** The live region always exists, because screen readers announce only changes. */
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
