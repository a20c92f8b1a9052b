import type { CDPSession } from '@playwright/test'

export interface Fetched {
  readonly url: string
  /** The compressed body without headers, like the sizes of the built files. */
  readonly bytes: number
  readonly isCall: boolean
  /** In milliseconds since 1970. */
  readonly arrivedAt: number
}

interface Request extends Fetched {
  /** Difference between the browser's monotonic clock and the wall clock. */
  readonly clock: number
  readonly headerBytes: number
  readonly isPending: boolean
  /** HTTP status or network error. */
  readonly failure?: string
}

/** A first visit ends after this time without traffic. */
const quietMs = 500
const patienceMs = 30_000

/** Everything a page fetches, as the browser reports it, without the endless stream of live events. */
export async function watchTraffic(cdp: CDPSession): Promise<{ settled(): Promise<Fetched[]> }> {
  const requests = new Map<string, Request>()
  let lastChange = Date.now()
  const change = (id: string, fields: (request: Request) => Partial<Request>) => {
    const request = requests.get(id)
    if (!request) return
    lastChange = Date.now()
    requests.set(id, { ...request, ...fields(request) })
  }
  cdp.on('Network.requestWillBeSent', ({ requestId, request: { url }, wallTime, timestamp }) => {
    if (!url.startsWith('http')) return
    const isCall = new URL(url).pathname.startsWith('/api/')
    const clock = (wallTime - timestamp) * 1_000
    requests.set(requestId, { url, isCall, clock, arrivedAt: 0, headerBytes: 0, bytes: 0, isPending: true })
  })
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType === 'text/event-stream') requests.delete(requestId)
    const failure = response.status >= 400 && { failure: String(response.status) }
    change(requestId, () => ({ headerBytes: response.encodedDataLength, ...failure }))
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) =>
    change(requestId, ({ clock, headerBytes }) => ({
      bytes: encodedDataLength - headerBytes,
      arrivedAt: clock + timestamp * 1_000,
      isPending: false,
    })),
  )
  cdp.on('Network.loadingFailed', ({ requestId, errorText, canceled }) =>
    change(requestId, () => ({ isPending: false, ...(!canceled && { failure: errorText }) })),
  )
  await cdp.send('Network.enable')

  const pending = () => [...requests.values()].filter(({ isPending }) => isPending).map(({ url }) => url)
  const isQuiet = () => Date.now() - lastChange > quietMs && pending().length === 0
  return {
    async settled() {
      const started = Date.now()
      while (!isQuiet()) {
        if (Date.now() - started > patienceMs) throw new Error(`Still pending: ${pending().join(', ')}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      // A failed request has no bytes, which would make the visit look cheaper.
      const failed = [...requests.values()].filter(({ failure }) => failure)
      if (failed.length > 0)
        throw new Error(failed.map(({ url, failure }) => `${url}: ${failure}`).join(', '))
      return [...requests.values()]
    },
  }
}
