import type { ReactNode } from 'react'
import styles from '../../ui/screen.module.css'
import own from './screen.module.css'

interface Props {
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export const Screen = ({ title, actions, children }: Props) => (
  <div className={styles.screen}>
    <header className={styles.head}>
      <h1 className={own.title}>{title}</h1>
      {actions}
    </header>
    {children}
  </div>
)
