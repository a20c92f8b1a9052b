import { looks } from '@kelid/contract'
import styles from './skeleton.module.css'

/** Needs no CSS of its own, because the page may not have it before its scripts run. */
export const Skeleton = () => (
  <span className={styles.skeleton} aria-hidden="true">
    {Array.from({ length: looks.loadingSkeletonLines }, (_, line) => (
      <span key={line} />
    ))}
  </span>
)
