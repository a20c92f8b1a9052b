// Sets theme, language and direction before the first paint. If it fails, the page is shown as it was built.
;(() => {
  const root = document.documentElement
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  // "en:ltr fa:rtl"
  const directions = new Map(root.dataset.languages.split(' ').map((one) => one.split(':')))
  // The server has already considered path and subdomain, which have the lowest priority.
  const language = [
    new URLSearchParams(location.search).get('lng'),
    /(?:^|; )kelid\.language=([A-Za-z-]+)/.exec(document.cookie)?.[1],
    stored('kelid.language'),
    ...navigator.languages,
    root.lang,
  ]
    .map((tag) => tag?.toLowerCase().split('-')[0])
    .find((tag) => directions.has(tag))
  const mode = stored('kelid.mode') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  // The page is in another language, or needs a session that is missing.
  if (root.lang !== language || (root.dataset.access !== 'anyone' && !stored('kelid.session')))
    root.dataset.hold = 'yes'
  root.lang = language
  root.dir = directions.get(language)
  root.dataset.mode = mode === 'dark' ? 'dark' : 'light'
  root.dataset.color = stored('kelid.color') || 'default'
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').content = '#000000'

  // A script failed or is late: the page says so and offers to reload.
  const giveUp = () => {
    if (document.getElementById('failed')) return
    delete root.dataset.hold
    const { client, failure } = JSON.parse(document.getElementById('words').textContent).app
    const make = (tag, properties) => Object.assign(document.createElement(tag), properties)
    const sentence = make('p', { id: 'failed', role: 'alert' })
    sentence.append(`${client.chunkFailed} · `, make('a', { href: '', textContent: failure.reload }))
    document.body.prepend(sentence)
  }
  window.addEventListener('error', ({ target }) => target.tagName === 'SCRIPT' && giveUp(), true)
  Object.assign(window, { giveUp, givesUpLater: setTimeout(giveUp, root.dataset.patience) })
})()
