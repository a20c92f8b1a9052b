import { RefusedByServer } from '@kelid/contract'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../../calls/api.ts'
import { explain } from '../../calls/explain.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import styles from '../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../shared/dialogs/warning.tsx'
import { Button } from '../../ui/button.tsx'

interface Props {
  title: string
  confirm: string
  kind?: 'primary' | 'danger'
  isReady?: boolean
  /** It carries a key: tried again, it has its effect once. */
  isKeyed?: boolean
  onConfirm: () => Promise<unknown>
  /** What it led to is shown in the dialog's place. */
  staysOpen?: boolean
  /** Somebody else was first: what it is now is to be read, so that it can be shown beside what was typed. */
  onChanged?: () => Promise<unknown>
  onClose: () => void
  /** What will change. */
  children: ReactNode
}

const isRefused = (error: unknown, ...types: string[]) =>
  error instanceof RefusedByServer && types.includes(error.type)

/** Nobody knows whether it was done. */
const isUnknown = (error: unknown) =>
  error instanceof Unreachable || isRefused(error, 'OUTCOME_UNKNOWN', 'REPLY_FAILED')

/** What will change, and one press that does it. Whatever was typed stays until it is done or given up. */
export function ActDialog({
  title,
  confirm,
  kind = 'primary',
  isReady = true,
  isKeyed = false,
  ...rest
}: Props) {
  const { onConfirm, staysOpen = false, onChanged, onClose, children } = rest
  const { t } = useTranslation('admin')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isRunning = useRef(false)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    // The second press of a double click comes before the button is asleep, or after the first is done.
    if (!isReady || isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      if (isOpen.current && !staysOpen) onClose()
    } catch (failure) {
      setError(failure)
      if (isRefused(failure, 'CHANGED_MEANWHILE')) await onChanged?.().catch(setError)
      isRunning.current = false
      setBusy(false)
    }
  }

  const text = isKeyed && isUnknown(error) ? t('acts.unknown') : error !== null && explain(t, error).text
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {children}
        {text && <Warning>{text}</Warning>}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind={kind} type="submit" isBusy={isBusy} disabled={!isReady}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
