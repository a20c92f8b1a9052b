import { parseWholeNumber } from '@kelid/contract'

/** Text that is not a number becomes NaN, which breaks the rule of the call. */
export const daysOf = (typed: string): number => parseWholeNumber(typed) ?? Number.NaN

export const usualDays = '30'
