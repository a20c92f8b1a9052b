import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button.tsx'
import { adminShapes } from '../kit/shapes.ts'
import styles from './drawer.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/** The native dialog traps the focus, closes on Escape and restores the focus. */
export function Drawer({ title, onClose, children }: Props) {
  const { t } = useTranslation('admin')
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const close = () => ref.current?.close()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape; the click is on the backdrop
    <dialog
      ref={ref}
      className={styles.drawer}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <div className={styles.panel}>
        <header className={styles.head}>
          <h2 id={titleId}>{title}</h2>
          <IconButton icon={adminShapes.close} label={t('ui.close')} onClick={close} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
