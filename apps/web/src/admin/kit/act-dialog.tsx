import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain } from '../../calls/explain.ts'
import { notify } from '../../lib/notices.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import styles from '../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../shared/dialogs/warning.tsx'
import { Button } from '../../ui/button.tsx'
import own from './act-dialog.module.css'
import { isOutcomeUnknown, isRefused, type LastTime } from './act-once.ts'
import { useScrollIntoView } from './appearing.tsx'

interface Props {
  title: string
  confirm: string
  /** Needed where "Cancel" could be taken for the action itself. */
  dismiss?: string
  kind?: 'primary' | 'danger'
  isReady?: boolean
  /** Calls with an idempotency key report the outcome of an unanswered attempt here. */
  once?: { readonly lastTime: LastTime | undefined }
  onConfirm: () => Promise<unknown>
  /** Set if the caller replaces the dialog with the result. */
  staysOpen?: boolean
  /** Reads the current value after a concurrent change, to show it beside the typed one. */
  onChanged?: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

export function ActDialog({ title, confirm, kind = 'primary', isReady = true, once, ...rest }: Props) {
  const { dismiss, onConfirm, staysOpen = false, onChanged, onClose, children } = rest
  const { t } = useTranslation('admin')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  /** Errors above the buttons can push them out of view. */
  const foot = useScrollIntoView(error !== null && !isBusy)
  const isRunning = useRef(false)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  const lastTime = once?.lastTime
  const isSettled = lastTime !== 'asking' && lastTime !== 'askFailed'
  const fail = (failure: unknown) => {
    setError(failure)
    notify(textOf(failure), 'error', explain(t, failure).autoHide)
  }
  const showNow = async () => onChanged?.().catch(fail)
  useEffect(() => {
    if (lastTime === 'done') void showNow()
    if (lastTime === 'askFailed') notify(t('acts.lastTime.askFailed'), 'error')
  }, [lastTime])

  async function submit(event: FormEvent) {
    event.preventDefault()
    // A double click can arrive before React disables the button, or after the first press is done.
    if (!isReady || !isSettled || isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      if (isOpen.current && !staysOpen) onClose()
    } catch (failure) {
      fail(failure)
      // The screen behind the dialog is outdated too.
      if (isRefused(failure, 'CHANGED_MEANWHILE')) void client.invalidateQueries()
      if (isRefused(failure, 'CHANGED_MEANWHILE', 'KEY_REUSED')) await showNow()
      isRunning.current = false
      setBusy(false)
    }
  }

  const textOf = (failure: unknown) => {
    if (once && isOutcomeUnknown(failure)) return t('acts.unknown')
    return once && isRefused(failure, 'KEY_REUSED') ? t('acts.firstDone') : explain(t, failure).text
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {children}
        {lastTime && error === null && <Warning>{t(`acts.lastTime.${lastTime}`)}</Warning>}
        {error !== null && <Warning>{textOf(error)}</Warning>}
        <div ref={foot} className={`${styles.actions} ${own.actions}`}>
          {/* Without this, the blurred field shows its error and moves the button from under the pointer. */}
          <Button onMouseDown={(event) => event.preventDefault()} onClick={onClose}>
            {dismiss ?? t('dialog.cancel')}
          </Button>
          <Button kind={kind} type="submit" isBusy={isBusy} disabled={!isReady || !isSettled}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
