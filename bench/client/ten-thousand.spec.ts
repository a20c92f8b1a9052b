import { type Browser, expect, type Page, test } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { newReseller } from '../../e2e/people.ts'
import { theHouse } from '../../e2e/product/house.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { isBench, limits, slack } from './limits.ts'
import { fakeAccounts } from './many-accounts.ts'
import { traceTasks } from './task-trace.ts'

const count = 10_000
const taskMs = limits.taskMs * slack
const mostLooks = 3

/** By the page's own frames, as a finger would. */
const scroll = (page: Page, pixelsAFrame: number, frames: number) =>
  page.evaluate(
    ([step, most]) =>
      new Promise<void>((resolve) => {
        let left = most
        const move = () => {
          scrollBy(0, step)
          left -= 1
          if (left > 0) requestAnimationFrame(move)
          else resolve()
        }
        requestAnimationFrame(move)
      }),
    [pixelsAFrame, frames] as const,
  )

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** Reading on stops at each page's end, so the end of all is reached by going there again and again. */
const readTo = (last: number) => (page: Page) =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const isThere = () =>
          [...document.querySelectorAll('main [aria-rowindex] a')].some(
            ({ textContent }) => Number(textContent?.split('_')[1]) <= wanted,
          )
        const goOn = () => {
          scrollTo(0, document.body.scrollHeight)
          if (isThere()) resolve()
          else requestAnimationFrame(goOn)
        }
        goOn()
      }),
    last,
  )

/** Faster than a finger can: sixty screens a second would be a jump. */
const fling = (page: Page) => scroll(page, -600, 300)

const jump = async (page: Page) => {
  for (const part of [0.9, 0.1, 0.6, 0, 1])
    await page.evaluate((share) => scrollTo(0, document.body.scrollHeight * share), part)
}

const search = async (page: Page) => {
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('searchbox').pressSequentially('customer_77', { delay: 20 })
  await expect(row(page, 'customer_7799')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await expect(row(page, `customer_${count - 1}`)).toBeVisible()
}

const filter = async (page: Page) => {
  const [state, sort] = [page.getByRole('combobox').nth(0), page.getByRole('combobox').nth(1)]
  await state.selectOption('expired')
  await expect(row(page, `customer_${count - 1}`)).toHaveCount(0)
  await state.selectOption('all')
  await sort.selectOption('accountName')
  await expect(row(page, 'customer_0')).toBeVisible()
}

/** Newest first. In quarters: reading all at once takes so long that the machine hardly ever stands still in none of it. */
const acts: Record<string, (page: Page) => Promise<void>> = {
  'read a quarter': readTo(count * 0.75),
  'read half': readTo(count * 0.5),
  'read three quarters': readTo(count * 0.25),
  'read all': readTo(0),
  fling,
  steady: (page) => scroll(page, 60, 300),
  jump,
  search,
  filter,
}

interface Look {
  readonly longestMs: number
  readonly what: string
}

/** By what was done, the longest the page was busy with it. */
async function lookAtAll(browser: Browser): Promise<Map<string, Look>> {
  const { token } = await newReseller({ credit: 0, tunnelCredit: 0 })
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    storageState: stored(sessionItems('en', token)),
  })
  const page = await context.newPage()
  await fakeAccounts(page, count)
  await page.goto(theHouse().url + paths.accounts)
  await expect(row(page, `customer_${count - 1}`)).toBeVisible()
  const looks = new Map<string, Look>()
  for (const [name, act] of Object.entries(acts)) {
    const tasks = await traceTasks(browser, page, () => act(page))
    const longest = tasks.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, 3)
    const what = longest
      .map(({ cpuMs, parts }) => `${cpuMs.toFixed(1)} ms (${parts().join(', ')})`)
      .join('\n')
    if (isBench) console.log(`${name}: ${tasks.length} tasks, longest\n${what}`)
    expect(tasks.length, `${name}: tasks in the trace`).toBeGreaterThan(10)
    looks.set(name, { longestMs: longest[0]?.cpuMs ?? Number.POSITIVE_INFINITY, what })
  }
  await context.close()
  return looks
}

test('among 10,000 accounts nothing that is scrolled, searched or filtered holds the page up', async ({
  browser,
}) => {
  let suspects = Object.keys(acts)
  // What the page does to itself it does every time; a moment in which the machine stood still it does not.
  for (let look = 1; look <= mostLooks && suspects.length > 0; look++) {
    const looks = await lookAtAll(browser)
    suspects = suspects.filter((name) => {
      const { longestMs, what } = looks.get(name) as Look
      if (longestMs > taskMs) console.log(`${name}, look ${look}:\n${what}`)
      return longestMs > taskMs
    })
  }
  expect(suspects, `had a task of more than ${taskMs} ms every time`).toEqual([])
})
