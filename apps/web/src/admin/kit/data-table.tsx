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
  /** Returns undefined if the server does not send the value. */
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  readonly isName?: boolean
  /** Keeps long e-mails readable beside longer texts. */
  readonly isAddress?: boolean
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

/** memo pays off because a longer list leaves most rows unchanged. */
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

/** A click on a row follows the link in its first cell, unless text is selected or a modifier is pressed. */
function openRow(event: MouseEvent): void {
  const { target, altKey, ctrlKey, metaKey, shiftKey } = event
  const isModified = altKey || ctrlKey || metaKey || shiftKey
  if (!(target instanceof Element) || isModified || target.closest(pressable)) return
  if (document.getSelection()?.type === 'Range') return
  target.closest('tr')?.cells[0]?.querySelector('a')?.click()
}

const longTableRows = 30

/** Fixes the column widths of a long table as shares of its natural layout. */
function useColumnsOfLong(count: number, titles: string) {
  const head = useRef<HTMLTableRowElement>(null)
  const [measured, setMeasured] = useState<{ titles: string; widths: string }>()
  const isLong = count > longTableRows
  const isMeasured = measured?.titles === titles
  // Measuring forces a layout, so it runs in its own task.
  useEffect(() => {
    if (!isLong || isMeasured) return
    const measure = () => {
      const row = head.current
      // The rows are cards on a phone and have no columns to measure.
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

/** Drops columns that no row fills, because the server may not send their values. */
function useFilledColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return useMemo(() => {
    const filled = columns.filter(({ cell }) => rows.some((row) => cell(row) !== undefined))
    // The same array lets memoized rows skip rendering.
    return filled.length === 0 || filled.length === columns.length ? columns : filled
  }, [columns, rows])
}

export function DataTable<Row>({ label, columns: all, keyOf, ...props }: Props<Row>) {
  // Presses and typing take precedence over rendering rows.
  const rows = useDeferredValue(props.rows)
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
