/** A cell that begins like this, or does so behind what cannot be seen, is run as a formula by spreadsheet programs. */
const formula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@])/u
/** They also take the wide and the small forms of these signs for the signs themselves. */
const isFormula = (text: string): boolean => formula.test(text) || formula.test(text.normalize('NFKC'))

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = isFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type Rows = readonly (readonly (string | number)[])[]

/** Lines of a file that is written a piece at a time. */
export const csvLines = (rows: Rows): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Makes spreadsheet programs read the file as UTF-8. */
export const csvStart = '\ufeff'

/** RFC 4180. */
export const toCsv = (rows: Rows): string => csvStart + csvLines(rows)
