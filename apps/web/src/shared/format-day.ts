import { type Language, languageFacts } from '@kelid/contract'

const formats = new Map<Language, Intl.DateTimeFormat>()

/** Formats a UTC day without the year: "16 November", "۲۵ آبان". */
export function formatDay(day: string, language: Language): string {
  const format =
    formats.get(language) ??
    new Intl.DateTimeFormat(languageFacts[language].locale, {
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    })
  formats.set(language, format)
  return format.format(new Date(day))
}
