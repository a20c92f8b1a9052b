import type { Language } from '@kelid/contract'
import type { i18n } from 'i18next'
import type { Namespace } from './words.ts'

const failed = new Set<string>()

/**
 * i18next silently gives up after five attempts; this throws, and the next call fetches again. It also loads the
 * namespaces in use for a new language.
 */
export async function loadWords(
  instance: i18n,
  language: Language,
  namespaces: readonly Namespace[],
): Promise<void> {
  if (!instance.isInitialized) return
  const missing = () => namespaces.filter((name) => !instance.hasResourceBundle(language, name))
  const again = missing().filter((name) => failed.delete(`${language} ${name}`))
  if (again.length > 0) await instance.reloadResources(language, again)
  if (language === instance.language) await instance.loadNamespaces(namespaces)
  else await instance.loadLanguages(language)
  if (missing().length === 0) return
  for (const name of missing()) failed.add(`${language} ${name}`)
  throw new Error(`The words of ${missing().join(', ')} in ${language} are not there`)
}
