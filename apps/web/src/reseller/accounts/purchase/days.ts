import { parseWholeNumber } from '@kelid/contract'

/** Text that is not a number becomes NaN, which breaks the rule of the call. */
export const daysOf = (text: string): number => parseWholeNumber(text) ?? Number.NaN

/** What a renewal adds; empty: none. */
export const gigabytesOf = (text: string): number => (text.trim() === '' ? 0 : daysOf(text))

export const usualDays = '30'
