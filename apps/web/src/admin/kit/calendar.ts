import { day as dayMs, type Language, languageFacts } from '@kelid/contract'

/** A day as people of a language count it. */
export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Of a date such as 2027-01-31, which belongs to no zone. */
const numbers = (language: Language) =>
  new Intl.DateTimeFormat(languageFacts[language].locale, {
    timeZone: 'UTC',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })

/** Their fields for dates are not the browser's, which knows one calendar. */
export const hasOwnCalendar = (language: Language): boolean =>
  numbers(language).resolvedOptions().calendar !== 'gregory'

export function dayOf(date: string, language: Language): CalendarDay {
  const parts = numbers(language).formatToParts(new Date(date))
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  return { year: part('year'), month: part('month'), day: part('day') }
}

/** As a date such as 2027-01-31, which gets nearer by steps until it is that day; undefined when there is no such day. */
function exactDate({ year, month, day }: CalendarDay, language: Language): string | undefined {
  let at = Date.UTC(year + 622, 0, 1)
  for (let tries = 0; tries < 10; tries++) {
    const date = new Date(at).toISOString().slice(0, 10)
    const found = dayOf(date, language)
    const off = (year - found.year) * 365 + (month - found.month) * 30 + (day - found.day)
    if (found.year === year && found.month === month && found.day === day) return date
    // The 31st is 30 days after the 1st of its month, and 0 by this reckoning from the 1st of the next.
    at += (off || Math.sign(month - found.month) || 1) * dayMs
  }
}

/** The last day of the month where that one is shorter. */
export const dateOf = (wanted: CalendarDay, language: Language): string =>
  exactDate(wanted, language) ?? dateOf({ ...wanted, day: wanted.day - 1 }, language)

export const daysIn = (year: number, month: number, language: Language): number =>
  dayOf(dateOf({ year, month, day: 31 }, language), language).day

export const monthName = (year: number, month: number, language: Language): string =>
  new Intl.DateTimeFormat(languageFacts[language].locale, { timeZone: 'UTC', month: 'long' }).format(
    new Date(dateOf({ year, month, day: 1 }, language)),
  )
