import type { ReactNode } from 'react'
import styles from './filters.module.css'

export const Filters = ({ children }: { children: ReactNode }) => (
  <search className={styles.filters}>{children}</search>
)
