import {
  type CSSProperties,
  type Key,
  type MouseEvent,
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import styles from './data-table.module.css'

export interface Column<Row> {
  readonly title: string
  /** undefined: the server does not say. */
  readonly cell: (row: Row) => ReactNode
  /** Figures line up at the end of their column. */
  readonly isNumber?: boolean
  /** What the row is about: the head of its card on a phone. */
  readonly isName?: boolean
  /** An e-mail, which is long: a longer text beside it leaves it its room, and on a phone the titles more of the line. */
  readonly isAddress?: boolean
  /** Buttons: at the foot of the card, and as wide as it is. */
  readonly isActs?: boolean
}

interface Props<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => Key
}

type Kind = Omit<Column<never>, 'title' | 'cell'>

const classOf = ({ isName, isAddress, isNumber, isActs }: Kind) => {
  if (isName) return styles.name
  if (isAddress) return styles.address
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

const pressable = 'a, button, input, select, textarea, label, summary, dialog'

/** A click anywhere on a row follows the link in its first cell. Selecting text and modified clicks do what they always do. */
function openRow(event: MouseEvent): void {
  const { target, altKey, ctrlKey, metaKey, shiftKey } = event
  const isModified = altKey || ctrlKey || metaKey || shiftKey
  if (!(target instanceof Element) || isModified || target.closest(pressable)) return
  if (document.getSelection()?.type === 'Range') return
  target.closest('tr')?.cells[0]?.querySelector('a')?.click()
}

const longFrom = 30

/** As wide as the columns of the first long list were by themselves, as shares of the table; none while it is not long. */
function useColumnsOfLong(count: number, titles: string) {
  const head = useRef<HTMLTableRowElement>(null)
  const [measured, setMeasured] = useState<{ titles: string; widths: string }>()
  const isLong = count > longFrom
  const isMeasured = measured?.titles === titles
  // In a task of its own: to measure is to lay out.
  useEffect(() => {
    if (!isLong || isMeasured) return
    const measure = () => {
      const row = head.current
      // Cards have no columns: where there is no room for a table it is measured when there is.
      if (!row || getComputedStyle(row).display !== 'table-row') return
      const widths = [...row.cells].map(({ offsetWidth }) => `minmax(0, ${offsetWidth}fr)`).join(' ')
      setMeasured({ titles, widths })
    }
    const timer = setTimeout(measure)
    window.addEventListener('resize', measure)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('resize', measure)
    }
  }, [isLong, isMeasured, titles])
  return { head, widths: isLong && isMeasured ? measured.widths : undefined }
}

/** Without the columns that no row fills: the server may not know what they would show. */
function useFilledColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return useMemo(() => {
    const filled = columns.filter(({ cell }) => rows.some((row) => cell(row) !== undefined))
    // The same array draws only new rows.
    return filled.length === 0 || filled.length === columns.length ? columns : filled
  }, [columns, rows])
}

/** A table where there is room; on a phone every row is a card whose cells carry the titles of their columns. */
export function DataTable<Row>({ label, columns: all, keyOf, ...given }: Props<Row>) {
  // Whoever presses or types meanwhile comes first: rows are drawn a few at a time, and shown together.
  const rows = useDeferredValue(given.rows)
  const columns = useFilledColumns(all, rows)
  const { head, widths } = useColumnsOfLong(rows.length, columns.map(({ title }) => title).join('|'))
  const hasAddress = columns.some(({ isAddress }) => isAddress)
  const classes = [styles.table, hasAddress && styles.addresses, widths && styles.long]
  return (
    <table
      className={classes.filter(Boolean).join(' ')}
      style={widths ? ({ '--columns': widths } as CSSProperties) : undefined}
    >
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr ref={head}>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" className={isNumber ? styles.number : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the link in the row */}
      <tbody onClick={openRow}>
        {rows.map((row) => (
          <Line key={keyOf(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  )
}
