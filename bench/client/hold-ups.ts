import { type Browser, expect, type Page } from '@playwright/test'
import { isBench, limits, slack } from './limits.ts'
import { traceTasks } from './task-trace.ts'

/** Actions on a page by name, in order. */
export type Acts = Readonly<Record<string, (page: Page) => Promise<void>>>
type Open = (browser: Browser) => Promise<Page>

const taskMs = limits.taskMs * slack
const mostLooks = 3

interface Look {
  readonly longestMs: number
  readonly what: string
}

/** Measures the longest task of every act. */
async function lookAtAll(
  browser: Browser,
  open: Open,
  acts: Acts,
  prepare: Acts,
): Promise<Map<string, Look>> {
  const page = await open(browser)
  const looks = new Map<string, Look>()
  for (const [name, act] of Object.entries(acts)) {
    await prepare[name]?.(page)
    const tasks = await traceTasks(browser, page, () => act(page))
    const longest = tasks.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, 3)
    const what = longest
      .map(({ cpuMs, parts }) => `${cpuMs.toFixed(1)} ms (${parts().join(', ')})`)
      .join('\n')
    if (isBench) console.log(`${name}: ${tasks.length} tasks, longest\n${what}`)
    expect(tasks.length, `${name}: tasks in the trace`).toBeGreaterThan(10)
    looks.set(name, { longestMs: longest[0]?.cpuMs ?? Number.POSITIVE_INFINITY, what })
  }
  await page.context().close()
  return looks
}

/** No act blocks the page noticeably. `prepare` runs before an act and is not measured. */
export async function expectNoHoldUps(
  browser: Browser,
  open: Open,
  acts: Acts,
  prepare: Acts = {},
): Promise<void> {
  let suspects = Object.keys(acts)
  // A slow page is slow every time; a stall of the machine is not.
  for (let look = 1; look <= mostLooks && suspects.length > 0; look++) {
    const looks = await lookAtAll(browser, open, acts, prepare)
    suspects = suspects.filter((name) => {
      const { longestMs, what } = looks.get(name) as Look
      if (longestMs > taskMs) console.log(`${name}, look ${look}:\n${what}`)
      return longestMs > taskMs
    })
  }
  expect(suspects, `acts with a task above ${taskMs} ms every time`).toEqual([])
}
