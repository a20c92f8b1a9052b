import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import styles from './day-chart.module.css'
import { formatDay } from './day-format.ts'
import tables from './plain-table.module.css'

export interface DayValue {
  readonly day: string
  readonly value: number
}

const step = 10
const barWidth = 8
const height = 100

/** One bar a day, in one path: 30 elements would be felt on a phone and tell no more. */
const barsOf = (days: readonly DayValue[], most: number): string =>
  days
    .map(({ value }, index) => {
      // What is there at all is seen.
      const tall = value === 0 ? 0 : Math.max(2, Math.round((value / most) * height))
      return tall === 0 ? '' : `M${index * step + 1} ${height}v-${tall}h${barWidth}v${tall}z`
    })
    .join('')

interface Props {
  title: string
  /** Which days: the last or the next thirty. */
  span: string
  days: readonly DayValue[]
}

/**
 * Figures by day. Time runs the way the language is read, as everything else on the page does. Whoever cannot see it hears
 * the gist, and everybody finds the figures in the table below.
 */
export function DayChart({ title, span, days }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const top = days.reduce((best, one) => (one.value > best.value ? one : best), { day: '', value: 0 })
  const summary =
    total === 0
      ? t('board.summaryNone', { title, span })
      : t('board.summary', {
          title,
          span,
          total: number(total),
          day: formatDay(top.day, language),
          most: number(top.value),
        })
  const [first, last] = [days.at(0), days.at(-1)]
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.title}>
        <span>{title}</span>
        <span className={styles.quiet}>{`${span} · ${t('board.total', { total: number(total) })}`}</span>
      </figcaption>
      <div className={styles.plot}>
        <span className={styles.most} aria-hidden="true">
          {top.value > 0 && number(top.value)}
        </span>
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${days.length * step} ${height}`}
          preserveAspectRatio="none"
        >
          <path d={barsOf(days, top.value)} />
        </svg>
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{first && formatDay(first.day, language)}</span>
        <span>{last && formatDay(last.day, language)}</span>
      </div>
      <details>
        <summary>{t('board.table')}</summary>
        <table className={tables.table}>
          <caption className="visually-hidden">{`${title}, ${span}`}</caption>
          <thead>
            <tr>
              <th scope="col">{t('board.day')}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">
                  <time dateTime={day}>{formatDay(day, language)}</time>
                </th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
