/** Spreadsheet programs run such a cell as a formula, also after invisible characters. */
const formula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@])/u
/** They also accept the full-width and small forms of these characters. */
const isFormula = (text: string): boolean => formula.test(text) || formula.test(text.normalize('NFKC'))

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = isFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type Rows = readonly (readonly (string | number)[])[]

export const csvLines = (rows: Rows): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** The byte order mark makes spreadsheet programs read UTF-8. */
export const csvStart = '\ufeff'

export const toCsv = (rows: Rows): string => csvStart + csvLines(rows)
