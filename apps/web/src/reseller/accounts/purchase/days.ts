import { parseWholeNumber } from '@kelid/contract'

/** Text that is not a number becomes NaN, which breaks the rule of the call. */
export const daysOf = (text: string): number => parseWholeNumber(text) ?? Number.NaN

export const usualDays = '30'
