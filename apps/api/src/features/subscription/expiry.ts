import { gigabyte, type Language } from '@kelid/contract'
import { type TimeUnit, wordsOf } from './page-words.ts'

const seconds: Record<TimeUnit, number> = { minute: 60, hour: 3600, day: 86_400 }

/** "in 3 days", "2 hours ago". */
export const timeInWords = (language: Language, date: Date, now: Date): string => {
  const difference = (date.getTime() - now.getTime()) / 1000
  const size = Math.abs(difference)
  const unit: TimeUnit = size < seconds.hour ? 'minute' : size < seconds.day ? 'hour' : 'day'
  const amount = Math.max(1, Math.round(size / seconds[unit]))
  return wordsOf[language].writing.fromNow(difference > 0 ? amount : -amount, unit)
}

export const exactTime = (language: Language, date: Date): string => {
  const { locale, timeZone, exactTime } = wordsOf[language].writing
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long' }).format(date)
  const time = new Intl.DateTimeFormat(locale, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(date)
  return exactTime(day, time)
}

export const wholeNumber = (language: Language, value: number): string =>
  new Intl.NumberFormat(wordsOf[language].writing.locale).format(value)

export const dataSize = (language: Language, bytes: number): string => {
  const { locale, unitDisplay } = wordsOf[language].writing
  const [value, unit] =
    bytes < 2 ** 20
      ? [bytes / 2 ** 10, 'kilobyte']
      : bytes < gigabyte
        ? [bytes / 2 ** 20, 'megabyte']
        : [bytes / gigabyte, 'gigabyte']
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay,
    maximumFractionDigits: value < 100 ? 1 : 0,
  }).format(value)
}
