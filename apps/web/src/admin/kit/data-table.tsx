import { type Key, memo, type ReactNode } from 'react'
import styles from './data-table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Figures line up at the end of their column. */
  readonly isNumber?: boolean
  /** What the row is about: the head of its card on a phone. */
  readonly isName?: boolean
  /** Buttons: at the foot of the card, and as wide as it is. */
  readonly isActs?: boolean
}

interface Props<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => Key
}

const classOf = ({ isName, isNumber, isActs }: Pick<Column<never>, 'isName' | 'isNumber' | 'isActs'>) => {
  if (isName) return styles.name
  if (isActs) return styles.acts
  return isNumber ? styles.number : undefined
}

/** Drawn anew only when it has changed: of a long list that is read on, most have not. */
const Line = memo(function OneLine<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ title, cell, ...kind }) => (
        <td key={title} data-title={title} className={classOf(kind)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}) as <Row>(props: { row: Row; columns: readonly Column<Row>[] }) => ReactNode

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
        <Line key={keyOf(row)} row={row} columns={columns} />
      ))}
    </tbody>
  </table>
)
