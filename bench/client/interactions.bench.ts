import type { Language } from '@kelid/contract'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { paths } from '../../apps/web/src/screens/paths.ts'
import { theHouse } from '../../e2e/product/house.ts'
import { button, field } from '../../e2e/see.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { wordsOf } from '../../e2e/words.ts'
import { median } from '../server/statistics.ts'
import { limits } from './limits.ts'
import { resellerWith } from './people.ts'
import { slowCpu } from './throttle.ts'

const rows = 1_000
const days = 5
/** As long as a finger rests. */
const press = { delay: 60 }

/** The browser's own measure of presses, taps and keys: from the moment it happens until the frame that shows what it did. */
const watchEvents = () => {
  const slowest: Record<string, number> = {}
  Object.assign(window, { slowest_: slowest })
  new PerformanceObserver((list) => {
    for (const { name, duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId) slowest[name] = Math.max(slowest[name] ?? 0, duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** The slowest event of what was done, once what it began is over: people look before they press again. */
async function slowest(page: Page): Promise<number> {
  const events = await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 600)))
    const { slowest_: seen } = window as unknown as { slowest_: Record<string, number> }
    const copy = { ...seen }
    for (const name of Object.keys(seen)) delete seen[name]
    return copy
  })
  return Math.max(0, ...Object.values(events))
}

/** A reseller's day, press by press; by what was done, how long its slowest event took. */
async function oneDay(browser: Browser, language: Language, token: string): Promise<Map<string, number>> {
  const say = wordsOf(language)
  const context = await browser.newContext({
    storageState: stored(sessionItems(language, token)),
    hasTouch: true,
  })
  const page = await context.newPage()
  await page.addInitScript(watchEvents)
  await slowCpu(await context.newCDPSession(page))
  const first = () => page.locator('main article').first()
  const choice = (place: number) => page.getByRole('combobox').nth(place)
  const acts: [string, () => Promise<unknown>][] = [
    ['tick one', () => first().getByRole('checkbox').click(press)],
    ['tick all', () => page.getByLabel(/40|۴۰/).first().click(press)],
    ['open many', () => button(page, say('accounts.bulk.renew')).click(press)],
    ['close', () => page.keyboard.press('Escape', press)],
    ['untick', () => button(page, say('accounts.clearSelection')).click(press)],
    ['search', () => page.getByRole('searchbox').pressSequentially('customer_7', press)],
    ['filter', () => choice(0).press('ArrowDown', press)],
    ['order', () => choice(1).press('ArrowDown', press)],
    ['open one', () => first().getByRole('link').click(press)],
    ['enlarge', () => button(page, say('accounts.qr.enlarge')).click(press)],
    ['close it', () => page.keyboard.press('Escape', press)],
    ['renew', () => button(page, say('accounts.renew.action')).click(press)],
    ['days', () => field(page, say('accounts.renew.days')).pressSequentially('5', press)],
    ['close again', () => page.keyboard.press('Escape', press)],
    ['language', () => page.getByRole('banner').getByRole('button').last().click(press)],
  ]
  await page.goto(theHouse().url + paths.accounts)
  await expect(first()).toBeVisible()
  await slowest(page)
  const took = new Map<string, number>()
  for (const [name, act] of acts) {
    await act()
    took.set(name, await slowest(page))
  }
  await context.close()
  return took
}

for (const language of ['en', 'fa'] as const)
  test(`on a slow phone nothing that is pressed or typed is felt late, ${language}`, async ({ browser }) => {
    const { reseller } = await resellerWith(rows)
    const seen: Map<string, number>[] = []
    for (let day = 0; day < days; day++) seen.push(await oneDay(browser, language, reseller.token))
    const figures = [...(seen[0]?.keys() ?? [])].map((name) => {
      const all = seen.map((took) => took.get(name) ?? 0)
      return { name, least: Math.min(...all), middle: median(all) }
    })
    const ms = (value: number) => `${String(value).padStart(5)} ms`
    const lines = figures.map(({ name, least, middle }) => `${name.padEnd(12)}${ms(least)}${ms(middle)}`)
    console.log(`\n${language}            least   median\n${lines.join('\n')}\n`)
    // A busy machine only ever adds, up to half a second at once; the least is the page's own.
    for (const { name, least } of figures)
      expect.soft(least, `${language}: ${name}`).toBeLessThanOrEqual(limits.interactionMs)
  })
