import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/icon.tsx'
import styles from './offline-mark.module.css'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says so while the device has no network. */
export function OfflineMark() {
  const { t } = useTranslation()
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  if (isOnline) return null
  return (
    <p className={styles.mark} role="status">
      <Icon name="offline" size={16} />
      {t('shell.offline')}
    </p>
  )
}
