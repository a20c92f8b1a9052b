import type { Language } from '@kelid/contract'
import { toLanguage } from '@kelid/contract'
import { useTranslation } from 'react-i18next'

export const useLanguage = (): Language => toLanguage(useTranslation().i18n.language)
