import type { Language } from '@kelid/contract'
import en from '../locales/en.json?url'
import fa from '../locales/fa.json?url'

/** Where the words of each language are; a language without a file does not compile. */
export const localeUrls: Record<Language, string> = { en, fa }
