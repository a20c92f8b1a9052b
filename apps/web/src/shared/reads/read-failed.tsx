import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { shapes } from '../shapes.ts'
import styles from './read-failed.module.css'
import { useReadNotice } from './use-read-notice.ts'

interface Props {
  error: Error | null
  text: string
  notice?: string
  onRetry: () => void
}

export function ReadFailed({ error, text, notice = text, onRetry }: Props) {
  const { t } = useTranslation('shared')
  const { announceAgain } = useReadNotice(error, notice)
  const retry = () => {
    announceAgain()
    onRetry()
  }
  return (
    <div className={styles.failed} role="alert">
      <Icon shape={shapes.alert} />
      <p>{text}</p>
      <Button icon={shapes.renew} onClick={retry}>
        {t('ui.tryAgain')}
      </Button>
    </div>
  )
}
