/** A cell that begins like this is run as a formula by spreadsheet programs. */
const formula = /^[=+\-@\t\r]/

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180, with the mark that makes spreadsheet programs read it as UTF-8. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
