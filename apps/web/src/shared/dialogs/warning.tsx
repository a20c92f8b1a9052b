import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { shapes } from '../shapes.ts'
import styles from './dialog-form.module.css'

export const Warning = ({ children }: { children: ReactNode }) => (
  <p className={styles.warning} role="alert">
    <Icon shape={shapes.alert} />
    <span>{children}</span>
  </p>
)
