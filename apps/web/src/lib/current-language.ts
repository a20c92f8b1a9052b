import { fallbackLanguage, type Language } from '@kelid/contract'
import { createStore } from './store.ts'

/** What the page is shown in; plain code reads it, the language switch sets it. */
export const languageStore = createStore<Language>(fallbackLanguage)

export const currentLanguage = (): Language => languageStore.get()
