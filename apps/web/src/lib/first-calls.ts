/** A call that the page itself made while the scripts were on their way: `app/first-calls.js`. */
interface FirstCall {
  readonly url: string
  readonly body: string
  readonly token: string
  readonly reply: Promise<string>
  /** By the page's clock; later than any moment while it is under way. */
  readonly arrivedAt: number
}

const page = globalThis as { firstCalls?: FirstCall[] }

/** As long as what was read counts as fresh. */
export const freshMs = 15_000

/** A call that was made already and is still of use. Each is given once. */
export function takeFirstCall(url: string, body: string, token: string | undefined): FirstCall | undefined {
  const calls = page.firstCalls ?? []
  const place = calls.findIndex((one) => one.url === url && one.body === body && one.token === token)
  const call = calls[place]
  if (!call) return undefined
  calls.splice(place, 1)
  return performance.now() - call.arrivedAt < freshMs ? call : undefined
}

/** From here on something may have changed. */
export function forgetFirstCalls(): void {
  page.firstCalls = []
}
