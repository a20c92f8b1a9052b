import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { formatDay } from '../../../shared/format-day.ts'
import { Bars } from '../../../ui/bars/bars.tsx'
import styles from './day-chart.module.css'
import tables from './plain-table.module.css'

export interface DayValue {
  readonly day: string
  readonly value: number
}

interface Props {
  id?: string
  title: string
  span: string
  days: readonly DayValue[]
  linkTotal: (text: string) => ReactNode
}

/** Screen readers get a summary; the table below has the figures. */
export function DayChart({ id, title, span, days, linkTotal }: Props) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const language = useLanguage()
  const caption = useId()
  const number = (value: number) => formatNumber(value, language)
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const top = days.reduce((best, one) => (one.value > best.value ? one : best), { day: '', value: 0 })
  const summary =
    total === 0
      ? tBoard('board.summaryNone', { title, span })
      : tBoard('board.summary', {
          title,
          span,
          total: number(total),
          day: formatDay(top.day, language),
          most: number(top.value),
        })
  const [first, last] = [days.at(0), days.at(-1)]
  return (
    <figure id={id} className={styles.chart} tabIndex={id ? -1 : undefined} aria-labelledby={caption}>
      <figcaption id={caption} className={styles.title}>
        <span>{title}</span>
        <span className={styles.quiet}>
          {span} · {linkTotal(tBoard('board.total', { total: number(total) }))}
        </span>
      </figcaption>
      <div className={styles.plot}>
        <span className={styles.most} aria-hidden="true">
          {top.value > 0 && number(top.value)}
        </span>
        <Bars values={days.map(({ value }) => value)} label={summary} />
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{first && formatDay(first.day, language)}</span>
        <span>{last && formatDay(last.day, language)}</span>
      </div>
      <details>
        <summary>{tBoard('board.table')}</summary>
        <table className={tables.table}>
          <caption className="visually-hidden">{`${title}, ${span}`}</caption>
          <thead>
            <tr>
              <th scope="col">{tBoard('board.day')}</th>
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
