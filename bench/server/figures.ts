export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: 'x' | 's' | 'ms' | '/s' | 'MB' | 'lost'
  /** Without a limit the figure is informational, but it must be measured. */
  readonly atMost?: number
  readonly atLeast?: number
  readonly detail: string
}

/** A value that is not finite was not measured, which is a failure even without a limit. */
function verdictOf({ value, atMost, atLeast }: Figure): string {
  if (!Number.isFinite(value)) return 'NOT MEASURED'
  if (atMost === undefined && atLeast === undefined) return ''
  return value <= (atMost ?? value) && value >= (atLeast ?? value) ? 'ok' : 'EXCEEDED'
}

export const isExceeded = (figure: Figure): boolean => !['', 'ok'].includes(verdictOf(figure))

const limitOf = ({ atMost, atLeast, unit }: Figure) =>
  [
    atMost !== undefined && `at most ${atMost} ${unit}`,
    atLeast !== undefined && `at least ${atLeast} ${unit}`,
  ]
    .filter(Boolean)
    .join(', ')

const amount = (value: number, unit: Figure['unit']) =>
  unit === 'MB' || unit === 'lost' ? `${Math.round(value)} ${unit}` : `${value.toFixed(2)} ${unit}`

export const printTable = (figures: readonly Figure[]): void =>
  console.table(
    figures.map((figure) => ({
      figure: figure.name,
      measured: amount(figure.value, figure.unit),
      limit: limitOf(figure),
      '': verdictOf(figure),
      'beside it': figure.detail,
    })),
  )
