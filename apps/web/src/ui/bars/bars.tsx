import styles from './bars.module.css'

const step = 10
const barWidth = 8
const height = 100

/** All bars are one path, because 30 elements would slow down a phone. */
const pathOf = (values: readonly number[]): string => {
  const max = Math.max(...values)
  return values
    .map((value, index) => {
      // A value above zero is always visible.
      const barHeight = value === 0 ? 0 : Math.max(2, Math.round((value / max) * height))
      return barHeight === 0 ? '' : `M${index * step + 1} ${height}v-${barHeight}h${barWidth}v${barHeight}z`
    })
    .join('')
}

/** Mirrored in right-to-left languages, so that time runs in reading direction. */
export function Bars({ values, label }: { values: readonly number[]; label: string }) {
  return (
    <svg
      className={styles.bars}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * step} ${height}`}
      preserveAspectRatio="none"
    >
      <path d={pathOf(values)} />
    </svg>
  )
}
