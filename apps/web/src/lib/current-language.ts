import { fallbackLanguage, type Language } from '@kelid/contract'
import { createStore } from './store.ts'

export const languageStore = createStore<Language>(fallbackLanguage)

export const currentLanguage = (): Language => languageStore.get()
