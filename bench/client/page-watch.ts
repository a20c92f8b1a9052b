/** Timings of a page, in milliseconds from the start of the navigation. */
export interface Moments {
  readonly firstPaint: number
  readonly lcp: number
  /** The first frame in which the main part of the screen is there and responds. */
  readonly usable: number
  readonly longTasks: readonly { readonly start: number; readonly duration: number }[]
  readonly timeOrigin: number
}

export interface WhatIsUsable {
  readonly selector: string
  /** Wait until React has hydrated the element; pages without scripts are usable when painted. */
  readonly needsClient: boolean
}

/** Runs in the page before its own scripts. */
export function watchMoments({ selector, needsClient }: WhatIsUsable): void {
  const seen = {
    firstPaint: 0,
    lcp: 0,
    usable: 0,
    longTasks: [] as object[],
    timeOrigin: performance.timeOrigin,
  }
  Object.assign(window, { moments_: seen })
  const on = (type: string, take: (entry: PerformanceEntry) => void) => {
    // Without support the observer would stay silent, and zero long tasks would look like a good result.
    if (!PerformanceObserver.supportedEntryTypes.includes(type))
      throw new Error(`the browser reports no ${type}`)
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  }
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.firstPaint = startTime
  })
  on('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime
  })
  on('longtask', ({ startTime: start, duration }) => seen.longTasks.push({ start, duration }))
  const isTaken = (element: Element) =>
    !needsClient || Object.keys(element).some((key) => key.startsWith('__reactProps'))
  const look = () => {
    const element = document.querySelector(selector)
    if (element && seen.firstPaint > 0 && isTaken(element)) {
      seen.usable = performance.now()
      ;(window as unknown as { usable_: (nothing: string) => void }).usable_('')
    } else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
