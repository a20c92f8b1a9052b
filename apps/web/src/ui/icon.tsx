import styles from './icon.module.css'

export interface Shape {
  readonly path: string
  /** Mirrored in right-to-left languages. */
  readonly isMirrored?: true
}

export const Icon = ({ shape, size = 20 }: { shape: Shape; size?: number }) => (
  <svg
    className={shape.isMirrored && styles.mirrored}
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
    <path d={shape.path} />
  </svg>
)
