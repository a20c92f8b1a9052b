// Runs before the first paint: theme, language and direction are right from the first frame on. The build puts in the
// languages. Should it fail, the page is shown as it was built.
/* global languageFacts, fallbackLanguage */
;(() => {
  const root = document.documentElement
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const wanted =
    new URLSearchParams(location.search).get('lng') ||
    /(?:^|; )kelid\.language=([A-Za-z-]+)/.exec(document.cookie)?.[1] ||
    stored('kelid.language') ||
    navigator.language ||
    root.lang
  const asked = wanted.toLowerCase().split('-')[0]
  const language = Object.hasOwn(languageFacts, asked) ? asked : fallbackLanguage
  const mode = stored('kelid.mode') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  // Not the words of this visitor, or a reseller's screen and nobody signed in.
  if (root.lang !== language || !(root.dataset.page || stored('kelid.session'))) root.dataset.hold = 'yes'
  root.lang = language
  root.dir = languageFacts[language].dir
  root.dataset.mode = mode === 'dark' ? 'dark' : 'light'
  root.dataset.color = stored('kelid.color') || 'default'
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').content = '#000000'
})()
