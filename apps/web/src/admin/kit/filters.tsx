import type { ReactNode } from 'react'
import styles from './filters.module.css'

/** The search first, then what narrows and orders. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <search className={styles.filters}>{children}</search>
)
