import { toLanguage } from '@kelid/contract'
import i18next from 'i18next'
import type { Namespace } from '../../lib/words.ts'
import { wordsUrl } from '../../lib/words-url.ts'

/** What this page fetched for good, its parts and its font, and the words in use, which may have come with the page. */
function assetsInUse(): string[] {
  const fetched = performance.getEntriesByType('resource').map(({ name }) => name)
  const namespaces = (i18next.options.ns ?? []) as readonly Namespace[]
  return [
    ...fetched.filter((name) => name.startsWith(`${location.origin}/assets/`)),
    ...namespaces.map((namespace) => wordsUrl(toLanguage(i18next.language), namespace)),
  ]
}

const file = '/sw.js'

/** Pages take no text for a script; what they may take it from is this, by the name in their policy (`page-policy.ts`). */
const trustedFile = (): string =>
  (globalThis as TrustedTypes).trustedTypes
    ?.createPolicy('worker', { createScriptURL: () => file })
    .createScriptURL('') ?? file

/** Not yet known to the compiler. What it makes goes where a string would. */
interface TrustedTypes {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(): string },
    ): { createScriptURL(text: string): string }
  }
}

/** Whoever reads their own things wants to open them again without a network. Visitors are spared the bytes. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !globalThis.navigator?.serviceWorker) return
  const keep = async () => {
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ keep: assetsInUse() })
  }
  const start = () =>
    void navigator.serviceWorker.register(trustedFile()).then(keep, () => {
      // A browser that forbids it loses the offline start and nothing else.
    })
  if (document.readyState === 'complete') setTimeout(start, 3_000)
  else window.addEventListener('load', () => setTimeout(start, 3_000), { once: true })
  window.addEventListener('pagehide', () => void keep())
}
