// Sends the first calls of a screen before its scripts load; calls/first-calls.ts takes the replies.
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
  // Only the scripts understand a filter in the address.
  if (!token || location.search) return
  const server = read(textOf('config'))?.appServer ?? ''
  const placeholders = {
    '{lng}': document.documentElement.lang,
    '{last}': location.pathname.split('/').findLast(Boolean),
  }
  window.firstCalls = read(textOf('calls')).map(({ path, fields }) => {
    const url = server + path
    const body = JSON.stringify(fields, (_, value) => placeholders[value] ?? value)
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
