import type { CSSProperties } from 'react'
import styles from './share-bar.module.css'

/** How much of a whole, for the eye; words beside it say the same. */
export const ShareBar = ({ share, isAlarming = false }: { share: number; isAlarming?: boolean }) => (
  <span
    className={styles.bar}
    data-alarming={isAlarming}
    style={{ '--share': share } as CSSProperties}
    aria-hidden="true"
  />
)
