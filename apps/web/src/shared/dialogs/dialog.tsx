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

/** The browser's own dialog: it keeps the focus, closes on Escape and gives the focus back. Its frame answers the press. */
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
      // Its end is told a moment later; React's strict mode has then opened it again.
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

/** From the frame after the next one on: on a slow phone what fills a dialog would hold back the dialog itself. */
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
