import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import styles from './quote-panel.module.css'

/** Red, with an icon and in words, where the eye already is. */
export const Warning = ({ children }: { children: ReactNode }) => (
  <p className={styles.warning} role="alert">
    <Icon name="alert" />
    <span>{children}</span>
  </p>
)
