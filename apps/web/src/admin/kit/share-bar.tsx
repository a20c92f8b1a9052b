import type { CSSProperties } from 'react'
import styles from './share-bar.module.css'

export const ShareBar = ({ share, isAlarming = false }: { share: number; isAlarming?: boolean }) => (
  <span
    className={styles.bar}
    data-alarming={isAlarming}
    style={{ '--share': share } as CSSProperties}
    aria-hidden="true"
  />
)
