// Of an address that two areas share, the page names the files of neither; whoever is signed in fetches theirs at once.
// Without this they are fetched when they are imported.
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
