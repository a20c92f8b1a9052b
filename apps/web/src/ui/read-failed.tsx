import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './read-failed.module.css'

/** What could not be read, and a way to try again. */
export function ReadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.failed} role="alert">
      <Icon name="alert" />
      <p>{text}</p>
      <Button icon="renew" onClick={onRetry}>
        {t('ui.tryAgain')}
      </Button>
    </div>
  )
}
