// A page for two areas preloads the files of neither, so this preloads those of a signed-in user.
;(() => {
  if (!localStorage.getItem('kelid.session')) return
  for (const href of JSON.parse(document.getElementById('parts').textContent)) {
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      crossOrigin: '',
      href,
    })
    document.head.append(link)
  }
})()
