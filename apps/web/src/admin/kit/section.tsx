import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface Props {
  title: string
  actions?: ReactNode
  children: ReactNode
}

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
