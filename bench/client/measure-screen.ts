import type { Browser, BrowserContextOptions } from '@playwright/test'
import { type Moments, type WhatIsUsable, watchMoments } from './page-watch.ts'
import { throttle } from './throttle.ts'
import { type Fetched, watchTraffic } from './traffic.ts'

export interface Visit {
  readonly bytes: number
  readonly fetched: readonly Fetched[]
  /** What had arrived before the screen was usable: files, and answers to calls. */
  readonly filesBefore: number
  readonly callsBefore: number
  readonly lcpMs: number
  readonly usableMs: number
  readonly blockingMs: number
}

/** Of each task longer than 50 ms what is beyond, from the first paint until the screen is usable. */
const blockingTime = ({ longTasks, firstPaint, usable }: Moments): number =>
  longTasks
    .filter(({ start, duration }) => start + duration > firstPaint && start < usable)
    .reduce((sum, { duration }) => sum + duration - 50, 0)

const patienceMs = 60_000

/** The first visit of somebody whose browser has never seen the product. */
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
    // Asking the page whether it is there yet would put scripts of the test's own between it and its first paint.
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
    if (!(moments.lcp > 0)) throw new Error(`${url}: the browser told of no largest paint`)
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
