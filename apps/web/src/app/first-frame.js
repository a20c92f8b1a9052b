// Runs before the first paint: theme, language and direction are right from the first frame on.
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
  const language = /^fa\b/i.test(wanted) ? 'fa' : 'en'
  const mode = stored('kelid.mode') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  // Not the words of this visitor, or a reseller's screen and nobody signed in.
  if (root.lang !== language || !(root.dataset.page || stored('kelid.session'))) root.dataset.hold = 'yes'
  root.lang = language
  root.dir = language === 'fa' ? 'rtl' : 'ltr'
  root.dataset.mode = mode === 'dark' ? 'dark' : 'light'
  root.dataset.color = stored('kelid.color') || 'default'
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').content = '#000000'
})()
