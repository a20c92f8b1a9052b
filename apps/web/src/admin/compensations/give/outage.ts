import { type Answer, parseWholeNumber, type quoteCompensation } from '@kelid/contract'
import { type Subject, subjectBody } from './subject.ts'

export type Quote = Answer<typeof quoteCompensation>

export const emptyOutage = { days: '', downFrom: '', downUntil: '', reason: '' }
export type OutageValues = typeof emptyOutage

/** A date-time input has no zone: it means the administrator's local time. */
const instantOf = (local: string): string => {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? local : date.toISOString()
}

export const quoteBodyOf = (subject: Subject, { days, downFrom, downUntil }: OutageValues) => ({
  ...subjectBody(subject),
  days: parseWholeNumber(days) ?? Number.NaN,
  ...(downFrom && { downFrom: instantOf(downFrom) }),
  ...(downUntil && { downUntil: instantOf(downUntil) }),
})

/** The server gives days only if the number of accounts and the last compensation are as quoted. */
export const orderOf = (subject: Subject, values: OutageValues, quote: Quote | undefined) => ({
  ...quoteBodyOf(subject, values),
  reason: values.reason.trim(),
  accounts: quote?.accounts ?? 0,
  basedOn: { lastCompensationUUID: quote?.lastCompensation?.compensationUUID ?? null },
})
