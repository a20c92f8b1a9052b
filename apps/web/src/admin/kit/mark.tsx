import type { ReactNode } from 'react'
import { Icon, type Shape } from '../../ui/icon.tsx'
import styles from './mark.module.css'

interface Props {
  is: 'good' | 'bad' | 'quiet'
  icon: Shape
  children: ReactNode
}

export const Mark = ({ is, icon, children }: Props) => (
  <span className={styles.mark} data-is={is}>
    <Icon shape={icon} size={16} />
    {children}
  </span>
)
