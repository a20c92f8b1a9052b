import { toLatinDigits } from '@kelid/contract'

const pattern = /^[+-]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.\d*)?$/

/** Returns NaN, which breaks the rule of every call, if the text is not a number. */
export function parseNumber(input: string): number {
  const digits = toLatinDigits(input)
    .replace(/[\s\u200e\u200f$]/g, '')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/\u066b/g, '.')
    .replace(/\u066c|\u060c/g, ',')
  return pattern.test(digits) ? Number(digits.replaceAll(',', '')) : Number.NaN
}

/** Accepts Persian digits in addresses, versions and ports. */
export const latin = (text: string): string => toLatinDigits(text.trim())
