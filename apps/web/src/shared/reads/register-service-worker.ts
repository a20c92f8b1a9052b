import { toLanguage } from '@kelid/contract'
import i18next from 'i18next'
import type { Namespace } from '../../lib/words.ts'
import { wordsUrl } from '../../lib/words-url.ts'

/** Includes the words in use, which the page may have contained. */
function assetsInUse(): string[] {
  const fetched = performance.getEntriesByType('resource').map(({ name }) => name)
  const namespaces = (i18next.options.ns ?? []) as readonly Namespace[]
  return [
    ...fetched.filter((name) => name.startsWith(`${location.origin}/assets/`)),
    ...namespaces.map((namespace) => wordsUrl(toLanguage(i18next.language), namespace)),
  ]
}

const file = '/sw.js'

/** The page's policy (`page-policy.ts`) allows script addresses only through this Trusted Types policy. */
const trustedFile = (): string =>
  (globalThis as TrustedTypes).trustedTypes
    ?.createPolicy('worker', { createScriptURL: () => file })
    .createScriptURL('') ?? file

/** TypeScript lacks these types. The result is used where a string is expected. */
interface TrustedTypes {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(): string },
    ): { createScriptURL(text: string): string }
  }
}

/** Visitors do not need offline pages and are spared the download. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !globalThis.navigator?.serviceWorker) return
  const keep = async () => {
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ keep: assetsInUse() })
  }
  const start = () =>
    void navigator.serviceWorker.register(trustedFile()).then(keep, () => {
      // A missing service worker costs only the offline start.
    })
  if (document.readyState === 'complete') setTimeout(start, 3_000)
  else window.addEventListener('load', () => setTimeout(start, 3_000), { once: true })
  window.addEventListener('pagehide', () => void keep())
}
