import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain, notifyError } from '../../calls/explain.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './dialog-form.module.css'
import { Warning } from './warning.tsx'

interface Props {
  title: string
  text: string
  confirmLabel: string
  onConfirm: () => Promise<void>
  onClose: () => void
}

export function ConfirmDialog({ title, text, confirmLabel, onConfirm, onClose }: Props) {
  const { t } = useTranslation('shared')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function confirm() {
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      notifyError(t, failure)
      setError(failure)
      setBusy(false)
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error !== null && <Warning>{explain(t, error).text}</Warning>}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button kind="danger" isBusy={isBusy} onClick={() => void confirm()}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
