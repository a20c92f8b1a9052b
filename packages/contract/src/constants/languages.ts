/**
 * A language is a row here, its words beside those of the others, and a font if its letters need one. `locale` is what
 * numbers and dates are written by, the calendar included.
 */
const rows = {
  en: { dir: 'ltr', ownName: 'English', locale: 'en', font: 'roboto-regular' },
  fa: { dir: 'rtl', ownName: 'فارسی', locale: 'fa-IR-u-ca-persian', font: 'vazir-medium' },
} as const

export type Language = keyof typeof rows

interface LanguageFacts {
  readonly dir: 'ltr' | 'rtl'
  /** As its speakers write it. */
  readonly ownName: string
  readonly locale: string
  readonly font: string
}

export const languageFacts: Readonly<Record<Language, LanguageFacts>> = rows
export const languages = Object.keys(rows) as [Language, ...Language[]]
export const fallbackLanguage: Language = 'en'

/** The first of these tags ("fa-IR", "fa") that is in one of our languages; English when none is. */
export const toLanguage = (...tags: readonly (string | null | undefined)[]): Language =>
  tags
    .map((tag) => tag?.toLowerCase().split('-')[0])
    .map((name) => languages.find((language) => language === name))
    .find(Boolean) ?? fallbackLanguage
