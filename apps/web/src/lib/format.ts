import type { Language, Unit } from '@kelid/contract'
import { languageFacts } from '@kelid/contract'

const memo = <T>(make: (language: Language) => T) => {
  const cache = new Map<Language, T>()
  return (language: Language): T => {
    const formatter = cache.get(language) ?? make(language)
    cache.set(language, formatter)
    return formatter
  }
}

const localeOf = (language: Language) => languageFacts[language].locale
const wholeNumber = memo(
  (language) => new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 0 }),
)
const money = memo(
  (language) =>
    new Intl.NumberFormat(localeOf(language), {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
    }),
)
const date = memo((language) => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }))
const moment = memo(
  (language) => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' }),
)
const relative = memo((language) => new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }))

export const formatNumber = (value: number, language: Language): string => wholeNumber(language).format(value)
export const formatDollars = (value: number, language: Language): string => money(language).format(value)
export const formatDate = (iso: string, language: Language): string => date(language).format(new Date(iso))
export const formatMoment = (iso: string, language: Language): string =>
  moment(language).format(new Date(iso))

const percent = memo((language) => new Intl.NumberFormat(localeOf(language), { style: 'percent' }))
const signedNumber = memo(
  (language) =>
    new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
)
const signedMoney = memo(
  (language) =>
    new Intl.NumberFormat(localeOf(language), {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      signDisplay: 'exceptZero',
    }),
)

export const formatPercent = (share: number, language: Language): string => percent(language).format(share)
export const formatAmount = (value: number, unit: Unit, language: Language): string =>
  unit === 'dollars' ? formatDollars(value, language) : formatNumber(value, language)
export const formatSigned = (value: number, unit: Unit, language: Language): string =>
  (unit === 'dollars' ? signedMoney : signedNumber)(language).format(value)

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Days change at midnight: 30 hours from now is not always tomorrow. */
const midnightBefore = (moment: number): number => new Date(moment).setHours(0, 0, 0, 0)

export function formatFromNow(iso: string, language: Language, now = Date.now()): string {
  const then = new Date(iso).getTime()
  const [unit, size] =
    steps.find(([, length]) => Math.abs(then - now) >= length) ??
    (['second', Number.POSITIVE_INFINITY] as const)
  const difference = unit === 'day' ? midnightBefore(then) - midnightBefore(now) : then - now
  return relative(language).format(Math.round(difference / size), unit)
}
