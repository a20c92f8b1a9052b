import { parseWholeNumber } from '@kelid/contract'

/** What a days field holds, in whatever digits; text that is no number stays and breaks the rule of the call. */
export const daysOf = (typed: string): number => parseWholeNumber(typed) ?? Number.NaN

export const usualDays = '30'
