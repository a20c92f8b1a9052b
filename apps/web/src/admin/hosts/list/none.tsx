import type { ReactNode } from 'react'
import styles from '../../../ui/screen.module.css'

export const None = ({ text, add }: { text: string; add: ReactNode }) => (
  <div className={styles.empty}>
    <h2>{text}</h2>
    {add}
  </div>
)
