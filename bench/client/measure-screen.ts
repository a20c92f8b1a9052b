import type { Browser, BrowserContextOptions } from '@playwright/test'
import { type Moments, type WhatIsUsable, watchMoments } from './page-watch.ts'
import { throttle } from './throttle.ts'
import { type Fetched, watchTraffic } from './traffic.ts'

export interface Visit {
  readonly bytes: number
  readonly fetched: readonly Fetched[]
  /** Files and answers that arrived before the screen was usable. */
  readonly filesBefore: number
  readonly callsBefore: number
  readonly lcpMs: number
  readonly usableMs: number
  readonly blockingMs: number
}

/** The part beyond 50 ms of every task between the first paint and usable. */
const blockingTime = ({ longTasks, firstPaint, usable }: Moments): number =>
  longTasks
    .filter(({ start, duration }) => start + duration > firstPaint && start < usable)
    .reduce((sum, { duration }) => sum + duration - 50, 0)

const patienceMs = 60_000

/** A first visit, with an empty cache. */
export async function measureScreen(
  browser: Browser,
  url: string,
  whatIsUsable: WhatIsUsable,
  { isSlow = true, ...options }: BrowserContextOptions & { isSlow?: boolean } = {},
): Promise<Visit> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const traffic = await watchTraffic(cdp)
    await page.addInitScript(watchMoments, whatIsUsable)
    // Polling the page would run scripts of the test before its first paint.
    await cdp.send('Runtime.enable')
    await cdp.send('Runtime.addBinding', { name: 'usable_' })
    const usable = new Promise((resolve, reject) => {
      cdp.once('Runtime.bindingCalled', resolve)
      setTimeout(reject, patienceMs, new Error(`${url} did not become usable`)).unref()
    })
    if (isSlow) await throttle(cdp)
    await page.goto(url, { waitUntil: 'commit' })
    await usable
    const fetched = await traffic.settled()
    const moments = await page.evaluate(() => (window as unknown as { moments_: Moments }).moments_)
    if (!(moments.lcp > 0)) throw new Error(`${url}: the browser reported no largest paint`)
    const before = fetched.filter(({ arrivedAt }) => arrivedAt < moments.timeOrigin + moments.usable)
    return {
      bytes: fetched.reduce((sum, { bytes }) => sum + bytes, 0),
      fetched,
      filesBefore: before.filter(({ isCall }) => !isCall).length,
      callsBefore: before.filter(({ isCall }) => isCall).length,
      lcpMs: moments.lcp,
      usableMs: moments.usable,
      blockingMs: blockingTime(moments),
    }
  } finally {
    await context.close()
  }
}
