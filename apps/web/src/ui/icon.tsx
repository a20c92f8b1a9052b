import styles from './icon.module.css'
import { type IconName, shapes } from './icon-shapes.ts'

/** Decoration beside a word. `isMirrored` for arrows, which point the other way in right-to-left text. */
export const Icon = ({ name, size = 20, isMirrored = false }: { name: IconName; size?: number; isMirrored?: boolean }) => (
  <svg
    className={isMirrored ? styles.mirrored : undefined}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={shapes[name]} />
  </svg>
)
