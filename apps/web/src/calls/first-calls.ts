interface FirstCall {
  readonly url: string
  readonly body: string
  readonly token: string
  readonly reply: Promise<string>
  /** Infinity while the call runs. */
  readonly arrivedAt: number
}

const page = globalThis as { firstCalls?: FirstCall[] }

export const freshMs = 15_000

/** Returns each reply once, and only while it is fresh. */
export function takeFirstCall(url: string, body: string, token: string | undefined) {
  const calls = page.firstCalls ?? []
  const index = calls.findIndex((one) => one.url === url && one.body === body && one.token === token)
  const [firstCall] = index < 0 ? [] : calls.splice(index, 1)
  return firstCall && performance.now() - firstCall.arrivedAt < freshMs ? firstCall.reply : undefined
}

export function forgetFirstCalls(): void {
  page.firstCalls = []
}
