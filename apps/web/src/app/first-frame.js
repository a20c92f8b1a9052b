// Runs before the first paint: theme, language and direction are right from the first frame on. Should it fail, the page is
// shown as it was built.
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
  // "en:ltr fa:rtl", the one for everybody else first.
  const languages = root.dataset.languages.split(' ').map((one) => one.split(':'))
  const [language, direction] = languages.find(([name]) => name === asked) ?? languages[0]
  const mode = stored('kelid.mode') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  // Not the words of this visitor, or nobody signed in whom it is for.
  if (root.lang !== language || (root.dataset.access !== 'anyone' && !stored('kelid.session')))
    root.dataset.hold = 'yes'
  root.lang = language
  root.dir = direction
  root.dataset.mode = mode === 'dark' ? 'dark' : 'light'
  root.dataset.color = stored('kelid.color') || 'default'
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').content = '#000000'
})()
