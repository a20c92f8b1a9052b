import { type Answer, parseWholeNumber, type quoteCompensation } from '@kelid/contract'
import { type Subject, subjectBody } from './subject.ts'

export type Quote = Answer<typeof quoteCompensation>

export const emptyOutage = { days: '', downFrom: '', downUntil: '', reason: '' }
export type OutageValues = typeof emptyOutage

/** A field for date and time holds them without a zone: they are meant where the administrator is. */
const instantOf = (local: string): string => {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? local : date.toISOString()
}

/** What is asked about: the reason changes nothing about it. */
export const questionOf = (subject: Subject, { days, downFrom, downUntil }: OutageValues) => ({
  ...subjectBody(subject),
  days: parseWholeNumber(days) ?? Number.NaN,
  ...(downFrom && { downFrom: instantOf(downFrom) }),
  ...(downUntil && { downUntil: instantOf(downUntil) }),
})

/** What is done: only if it is for as many as was shown, and nobody has given for the same outage meanwhile. */
export const orderOf = (subject: Subject, values: OutageValues, quote: Quote | undefined) => ({
  ...questionOf(subject, values),
  reason: values.reason.trim(),
  accounts: quote?.accounts ?? 0,
  basedOn: { lastCompensationUUID: quote?.lastCompensation?.compensationUUID ?? null },
})
