import { type Language, languageLoading } from '@kelid/contract'
import type { i18n } from 'i18next'
import { localeUrls } from './locale-urls.ts'

/** The language of which only the words of the prerendered page are there yet. */
let partial: Language | null = null

/** A prerendered page brings the words it is made of, and needs no file of words before something else is opened. */
export function wordsOfPage(language: Language): object | null {
  const place = document.getElementById('words')
  if (place?.lang !== language) return null
  partial = language
  return JSON.parse(place.textContent ?? '{}') as object
}

/** The loader's own rule for a bad network: again after 350 ms, doubling, five times. */
export async function fetchWords(language: Language, retries = 0): Promise<object> {
  try {
    const reply = await fetch(localeUrls[language])
    if (!reply.ok) throw new Error(`The words of ${language} are not there`)
    return (await reply.json()) as object
  } catch (error) {
    if (retries === languageLoading.maxRetries) throw error
    await new Promise((resolve) => setTimeout(resolve, languageLoading.retryTimeoutMs * 2 ** retries))
    return fetchWords(language, retries + 1)
  }
}

/** Adds the words that the prerendered page did without. */
export async function completeWords(instance: i18n): Promise<void> {
  if (partial === null) return
  const language = partial
  const words = await fetchWords(language)
  instance.addResourceBundle(language, 'translation', words, true, true)
  partial = null
}
