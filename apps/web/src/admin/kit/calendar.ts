import { day as dayMs, type Language, languageFacts } from '@kelid/contract'

export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A date such as 2027-01-31 has no zone, so this uses UTC. */
const numbers = (language: Language) =>
  new Intl.DateTimeFormat(languageFacts[language].locale, {
    timeZone: 'UTC',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })

/** The browser's date input knows only the Gregorian calendar. */
export const hasOwnCalendar = (language: Language): boolean =>
  numbers(language).resolvedOptions().calendar !== 'gregory'

export function dayOf(date: string, language: Language): CalendarDay {
  const parts = numbers(language).formatToParts(new Date(date))
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  return { year: part('year'), month: part('month'), day: part('day') }
}

/** Approaches the ISO date step by step; undefined if the day does not exist. */
function exactDate({ year, month, day }: CalendarDay, language: Language): string | undefined {
  let at = Date.UTC(year + 622, 0, 1)
  for (let tries = 0; tries < 10; tries++) {
    const date = new Date(at).toISOString().slice(0, 10)
    const candidate = dayOf(date, language)
    const difference = (year - candidate.year) * 365 + (month - candidate.month) * 30 + (day - candidate.day)
    if (candidate.year === year && candidate.month === month && candidate.day === day) return date
    // A difference of 0 still means another month: the 31st is 30 days after the 1st of its own month.
    at += (difference || Math.sign(month - candidate.month) || 1) * dayMs
  }
}

/** Falls back to the last day of a shorter month. */
export const dateOf = (target: CalendarDay, language: Language): string =>
  exactDate(target, language) ?? dateOf({ ...target, day: target.day - 1 }, language)

export const daysIn = (year: number, month: number, language: Language): number =>
  dayOf(dateOf({ year, month, day: 31 }, language), language).day

export const monthName = (year: number, month: number, language: Language): string =>
  new Intl.DateTimeFormat(languageFacts[language].locale, { timeZone: 'UTC', month: 'long' }).format(
    new Date(dateOf({ year, month, day: 1 }, language)),
  )
