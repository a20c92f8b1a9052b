import { type Language, languageFacts } from '@kelid/contract'

/** What the browser of somebody who speaks a language says that it wants. */
export const localeOf = (language: Language): string =>
  new Intl.Locale(languageFacts[language].locale).baseName
