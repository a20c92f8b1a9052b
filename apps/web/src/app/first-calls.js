// What the screen will ask first is asked before its scripts are there; lib/first-calls.ts takes the answers.
;(() => {
  const read = (text) => {
    try {
      return JSON.parse(text())
    } catch {
      return null
    }
  }
  const textOf = (id) => () => document.getElementById(id).textContent
  const token = read(() => localStorage.getItem('kelid.session'))?.token
  // A filter in the address is for the scripts to understand.
  if (!token || location.search) return
  const server = read(textOf('config'))?.appServer ?? ''
  const known = {
    '{lng}': document.documentElement.lang,
    '{last}': location.pathname.split('/').findLast(Boolean),
  }
  window.firstCalls = read(textOf('calls')).map(({ path, fields }) => {
    const url = server + path
    const body = JSON.stringify(fields, (_, value) => known[value] ?? value)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const reply = fetch(url, { method: 'POST', headers, body }).then((answer) => answer.text())
    const call = { url, body, token, reply, arrivedAt: Infinity }
    const note = () => {
      call.arrivedAt = performance.now()
    }
    reply.then(note, note)
    return call
  })
})()
