import styles from './icon.module.css'

/** A path in a square of 24, drawn with the colour of the text. */
export interface Shape {
  readonly path: string
  /** It points along the text, and so the other way where that runs from right to left. */
  readonly isMirrored?: true
}

/** Decoration beside a word. */
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
