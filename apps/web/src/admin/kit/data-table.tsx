import type { Key, ReactNode } from 'react'
import styles from './data-table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Figures line up at the end of their column. */
  readonly isNumber?: boolean
  /** What the row is about: the head of its card on a phone. */
  readonly isName?: boolean
}

interface Props<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => Key
}

/** A table where there is room; on a phone every row is a card whose cells carry the titles of their columns. */
export const DataTable = <Row,>({ label, columns, rows, keyOf }: Props<Row>) => (
  <table className={styles.table}>
    <caption className="visually-hidden">{label}</caption>
    <thead>
      <tr>
        {columns.map(({ title, isNumber }) => (
          <th key={title} scope="col" className={isNumber ? styles.number : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ title, cell, isNumber, isName }) => (
            <td
              key={title}
              data-title={title}
              className={isName ? styles.name : isNumber ? styles.number : undefined}
            >
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
