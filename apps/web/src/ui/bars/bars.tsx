import styles from './bars.module.css'

const step = 10
const barWidth = 8
const height = 100

/** One bar a value, in one path: 30 elements would be felt on a phone and tell no more. */
const pathOf = (values: readonly number[]): string => {
  const most = Math.max(...values)
  return values
    .map((value, index) => {
      // What is there at all is seen.
      const tall = value === 0 ? 0 : Math.max(2, Math.round((value / most) * height))
      return tall === 0 ? '' : `M${index * step + 1} ${height}v-${tall}h${barWidth}v${tall}z`
    })
    .join('')
}

/** Time runs the way the language is read, as everything else on the page does. Whoever cannot see it hears the label. */
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
