import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { shapes } from '../shapes.ts'
import styles from './read-failed.module.css'

/** What could not be read, and a way to try again. */
export function ReadFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation('shared')
  return (
    <div className={styles.failed} role="alert">
      <Icon shape={shapes.alert} />
      <p>{text}</p>
      <Button icon={shapes.renew} onClick={onRetry}>
        {t('ui.tryAgain')}
      </Button>
    </div>
  )
}
