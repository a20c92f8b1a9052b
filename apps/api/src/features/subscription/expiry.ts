import type { Language } from './page-words.ts'

type Unit = 'minute' | 'hour' | 'day'

const seconds: Record<Unit, number> = { minute: 60, hour: 3600, day: 86_400 }
const persianUnits: Record<Unit, string> = { minute: 'دقیقه', hour: 'ساعت', day: 'روز' }

export const locales: Record<Language, string> = { en: 'en-GB', fa: 'fa-IR-u-ca-persian-nu-arabext' }

/** The page does not know where its reader is; each language has the clock most of its readers live by. */
const timeZones: Record<Language, string> = { en: 'UTC', fa: 'Asia/Tehran' }

/** "in 3 days", "2 hours ago"; in Persian written by hand, because Intl says «۳ روز بعد» ("3 days later"). */
export const timeInWords = (language: Language, date: Date, now: Date): string => {
  const difference = (date.getTime() - now.getTime()) / 1000
  const size = Math.abs(difference)
  const unit: Unit = size < seconds.hour ? 'minute' : size < seconds.day ? 'hour' : 'day'
  const amount = Math.max(1, Math.round(size / seconds[unit]))
  if (language === 'en') {
    const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
    return words.format(difference > 0 ? amount : -amount, unit)
  }
  const number = new Intl.NumberFormat(locales.fa).format(amount)
  return `${number} ${persianUnits[unit]} ${difference > 0 ? 'دیگر' : 'پیش'}`
}

export const exactTime = (language: Language, date: Date): string => {
  const timeZone = timeZones[language]
  const day = new Intl.DateTimeFormat(locales[language], { timeZone, dateStyle: 'long' }).format(date)
  const time = new Intl.DateTimeFormat(locales[language], {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(date)
  return language === 'en' ? `${day}, ${time} UTC` : `${day}، ساعت ${time} به وقت تهران`
}

export const dataSize = (language: Language, bytes: number): string => {
  const [value, unit] = bytes < 1e9 ? [bytes / 1e6, 'megabyte'] : [bytes / 1e9, 'gigabyte']
  return new Intl.NumberFormat(locales[language], {
    style: 'unit',
    unit,
    unitDisplay: language === 'fa' ? 'long' : 'short',
    maximumFractionDigits: value < 100 ? 1 : 0,
  }).format(value)
}
