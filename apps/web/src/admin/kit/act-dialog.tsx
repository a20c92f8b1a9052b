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
import { isRefused, isUnknown, type LastTime } from './act-once.ts'
import { useIntoSight } from './appearing.tsx'

interface Props {
  title: string
  confirm: string
  /** Closes it without the act. Needed where "Cancel" could be taken for the act itself. */
  dismiss?: string
  kind?: 'primary' | 'danger'
  isReady?: boolean
  /** Of what carries a key and so has its effect once: what came of the last time, where that was not known. */
  once?: { readonly lastTime: LastTime | undefined }
  onConfirm: () => Promise<unknown>
  /** What it led to is shown in the dialog's place. */
  staysOpen?: boolean
  /** Somebody else was first: what it is now is to be read, so that it can be shown beside what was typed. */
  onChanged?: () => Promise<unknown>
  onClose: () => void
  /** What will change. */
  children: ReactNode
}

/** What will change, and one press that does it. Whatever was typed stays until it is done or given up. */
export function ActDialog({ title, confirm, kind = 'primary', isReady = true, once, ...rest }: Props) {
  const { dismiss, onConfirm, staysOpen = false, onChanged, onClose, children } = rest
  const { t } = useTranslation('admin')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  /** What is said above it pushes it out of a long dialog's sight. */
  const foot = useIntoSight(error !== null && !isBusy)
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
    // The second press of a double click comes before the button is asleep, or after the first is done.
    if (!isReady || !isSettled || isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      if (isOpen.current && !staysOpen) onClose()
    } catch (failure) {
      fail(failure)
      // What the screen behind shows is old too.
      if (isRefused(failure, 'CHANGED_MEANWHILE')) void client.invalidateQueries()
      if (isRefused(failure, 'CHANGED_MEANWHILE', 'KEY_REUSED')) await showNow()
      isRunning.current = false
      setBusy(false)
    }
  }

  const textOf = (failure: unknown) => {
    if (once && isUnknown(failure)) return t('acts.unknown')
    return once && isRefused(failure, 'KEY_REUSED') ? t('acts.firstDone') : explain(t, failure).text
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {children}
        {lastTime && error === null && <Warning>{t(`acts.lastTime.${lastTime}`)}</Warning>}
        {error !== null && <Warning>{textOf(error)}</Warning>}
        <div ref={foot} className={`${styles.actions} ${own.actions}`}>
          {/* A field that is left says what is wrong with it, which would push the button from under the press. */}
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
