import type { areaShapes } from './area-icon-shapes.ts'
import styles from './icon.module.css'
import { shapes } from './icon-shapes.ts'

export type IconName = keyof typeof shapes | keyof typeof areaShapes

const known: Partial<Record<IconName, string>> = { ...shapes }

/** For an area that brings shapes of its own. */
export const addShapes = (more: Partial<Record<IconName, string>>): void => void Object.assign(known, more)

/** They point along the text, and so the other way where it runs from right to left. */
const alongTheText: readonly IconName[] = ['signIn', 'signOut']

/** Decoration beside a word. `isMirrored` for other arrows that follow the direction of the text. */
export const Icon = ({
  name,
  size = 20,
  isMirrored = alongTheText.includes(name),
}: {
  name: IconName
  size?: number
  isMirrored?: boolean
}) => (
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
    <path d={known[name]} />
  </svg>
)
