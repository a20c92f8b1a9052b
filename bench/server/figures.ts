export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: 'x' | 's' | 'MB'
  /** None is for information only. */
  readonly atMost?: number
  readonly detail: string
}

export const isExceeded = ({ value, atMost }: Figure): boolean => atMost !== undefined && !(value <= atMost)

const amount = (value: number, unit: Figure['unit']) =>
  unit === 'MB' ? `${Math.round(value)} MB` : `${value.toFixed(2)} ${unit}`

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => [
    figure.name,
    amount(figure.value, figure.unit),
    figure.atMost === undefined ? '' : `${figure.atMost} ${figure.unit}`,
    figure.atMost === undefined ? '' : isExceeded(figure) ? 'EXCEEDED' : 'held',
    figure.detail,
  ])
  const all = [['figure', 'measured', 'at most', '', 'beside it'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  for (const row of all)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
