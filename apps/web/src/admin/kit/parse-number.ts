import { toLatinDigits } from '@kelid/contract'

/** As people type a number: a sign, thousands set apart, a decimal point; in the digits of either language. */
const pattern = /^[+-]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.\d*)?$/

/** What a field for a number holds; NaN, which breaks the rule of every call, when it is none. */
export function parseNumber(typed: string): number {
  const latin = toLatinDigits(typed)
    .replace(/[\s\u200e\u200f$]/g, '')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/\u066b/g, '.')
    .replace(/\u066c|\u060c/g, ',')
  return pattern.test(latin) ? Number(latin.replaceAll(',', '')) : Number.NaN
}
