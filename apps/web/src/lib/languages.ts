import { fallbackLanguage, type Language, languages } from '@kelid/contract'

/** A language is a locale file and a row here. */
export const languageFacts: Record<Language, { dir: 'ltr' | 'rtl'; ownName: string; locale: string }> = {
  en: { dir: 'ltr', ownName: 'English', locale: 'en' },
  fa: { dir: 'rtl', ownName: 'فارسی', locale: 'fa-IR-u-ca-persian' },
}

/** English for anything missing or unknown, the US variant included. */
export const toLanguage = (text: string | null | undefined): Language =>
  languages.find((language) => language === text?.toLowerCase().split('-')[0]) ?? fallbackLanguage
