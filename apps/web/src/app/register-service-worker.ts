/** What this page fetched for good: its parts, its words and its font, in the language in use. */
const ownAssets = () =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/assets/`))

/** Whoever reads their own things wants to open them again without a network. Visitors are spared the bytes. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !globalThis.navigator?.serviceWorker) return
  const keep = async () => {
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ keep: ownAssets() })
  }
  const start = () =>
    void navigator.serviceWorker.register('/sw.js').then(keep, () => {
      // A browser that forbids it loses the offline start and nothing else.
    })
  if (document.readyState === 'complete') setTimeout(start, 3_000)
  else window.addEventListener('load', () => setTimeout(start, 3_000), { once: true })
  window.addEventListener('pagehide', () => void keep())
}
