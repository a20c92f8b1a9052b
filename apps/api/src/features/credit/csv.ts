/** A cell that begins like this, or does so behind what cannot be seen, is run as a formula by spreadsheet programs. */
const formula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@])/u
/** They also take the wide and the small forms of these signs for the signs themselves. */
const isFormula = (text: string): boolean => formula.test(text) || formula.test(text.normalize('NFKC'))

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = isFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180, with the mark that makes spreadsheet programs read it as UTF-8. */
export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
