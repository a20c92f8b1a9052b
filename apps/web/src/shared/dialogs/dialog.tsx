import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button.tsx'
import { shapes } from '../shapes.ts'
import styles from './dialog.module.css'
import { afterPaint } from './painted.ts'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/**
 * The browser's own dialog: it keeps the focus, closes on Escape and gives the focus back. Its frame answers the press; what
 * is in it follows, and what its end brings about comes once it is gone from the screen, so that a slow phone does not show
 * nothing meanwhile.
 */
export function Dialog({ title, onClose, children }: Props) {
  const { t } = useTranslation('shared')
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [isFilled, setFilled] = useState(false)
  const stopWaiting = useRef<() => void>(undefined)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    stopWaiting.current = afterPaint(() => setFilled(true))
    return () => {
      stopWaiting.current?.()
      dialog?.close()
    }
  }, [])
  const close = () => {
    stopWaiting.current?.()
    stopWaiting.current = afterPaint(onClose)
  }
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      // Its end is told a moment later; React's strict mode has then opened it again.
      onClose={({ currentTarget }) => currentTarget.open || close()}
    >
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon={shapes.close} label={t('ui.close')} onClick={() => ref.current?.close()} />
      </header>
      <div className={styles.body}>{isFilled && children}</div>
    </dialog>
  )
}
