// Opens the client offline. It ignores calls, because the page stores their replies with a date.
// The build defines VERSION and PRECACHED, the addresses of the files that resellers need.
const shell = '/app.html'
const cacheName = `kelid-${VERSION}`
const patienceMs = 4_000

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll([shell, '/config.json', ...PRECACHED])))
})

self.addEventListener('activate', (event) => {
  const dropOld = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(dropOld())
})

self.addEventListener('message', (event) => {
  const keep = async () => {
    const cache = await caches.open(cacheName)
    for (const url of event.data.keep) if (!(await cache.match(url))) await cache.add(url).catch(() => {})
  }
  if (Array.isArray(event.data?.keep)) event.waitUntil(keep())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!/^\/(?:api|sub)\//.test(url.pathname)) event.respondWith(networkFirst(request, shell))
  } else if (url.pathname === '/config.json') event.respondWith(networkFirst(request, url.pathname, true))
  else if (/^\/(?:assets|flags)\//.test(url.pathname)) event.respondWith(cacheFirst(request))
})

async function networkFirst(request, fallback, isKept = false) {
  const cache = await caches.open(cacheName)
  const fromNetwork = fetch(request).then(async (reply) => {
    if (isKept && reply.ok) await cache.put(request, reply.clone())
    return reply
  })
  const kept = await cache.match(fallback)
  if (!kept) return fromNetwork
  const late = new Promise((resolve) => setTimeout(() => resolve(kept), patienceMs))
  return Promise.race([fromNetwork, late]).catch(() => kept)
}

async function cacheFirst(request) {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request)
  if (kept) return kept
  const reply = await fetch(request)
  if (reply.ok) await cache.put(request, reply.clone())
  return reply
}
