import { type Language, languageFacts } from '@kelid/contract'

/** The locale of a browser in this language. */
export const localeOf = (language: Language): string =>
  new Intl.Locale(languageFacts[language].locale).baseName
