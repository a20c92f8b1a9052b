import { looks } from '@kelid/contract'
import styles from './skeleton.module.css'

/** Where something will be. By itself it needs no style of its own, which a page may not have before its scripts run. */
export const Skeleton = () => (
  <span className={styles.skeleton} aria-hidden="true">
    {Array.from({ length: looks.loadingSkeletonLines }, (_, line) => (
      <span key={line} />
    ))}
  </span>
)
