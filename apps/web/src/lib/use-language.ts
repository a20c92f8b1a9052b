import type { Language } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { toLanguage } from './languages.ts'

export const useLanguage = (): Language => toLanguage(useTranslation().i18n.language)
