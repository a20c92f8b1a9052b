import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button.tsx'
import { shapes } from '../shapes.ts'
import styles from './dialog.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/**
 * The native dialog traps the focus, closes on Escape and restores the focus. The frame opens before its content
 * renders.
 */
export function Dialog({ title, onClose, children }: Props) {
  const { t } = useTranslation('shared')
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const isPainted = useIsPainted()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      // The close event is asynchronous, and React's strict mode has reopened the dialog by then.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
    >
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon={shapes.close} label={t('ui.close')} onClick={() => ref.current?.close()} />
      </header>
      <div className={styles.body}>{isPainted && children}</div>
    </dialog>
  )
}

/** Delays the content by two frames, so that a slow phone shows the frame at once. */
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted
}
