import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface Props {
  title: string
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A framed part of a screen under a heading of the second rank. */
export function Section({ title, actions, children }: Props) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
