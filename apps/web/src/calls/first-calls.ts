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

/** The answer to a call that was made already. Each is given once, and only while it is fresh. */
export function takeFirstCall(url: string, body: string, token: string | undefined) {
  const calls = page.firstCalls ?? []
  const index = calls.findIndex((one) => one.url === url && one.body === body && one.token === token)
  const [found] = index < 0 ? [] : calls.splice(index, 1)
  return found && performance.now() - found.arrivedAt < freshMs ? found.reply : undefined
}

/** From here on something may have changed. */
export function forgetFirstCalls(): void {
  page.firstCalls = []
}
