import { type Language, languages } from '@kelid/contract'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { button, field } from '../../e2e/see.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { wordsOf } from '../../e2e/words.ts'
import { median } from '../server/statistics.ts'
import { limits } from './limits.ts'
import { resellerWith } from './people.ts'
import { slowCpu } from './throttle.ts'

const rows = 1_000
const days = 5
/** How long a finger stays down. */
const press = { delay: 60 }

/** Records the browser's event timing: from an input until the frame that shows its effect. */
const watchEvents = () => {
  const slowest: Record<string, number> = {}
  Object.assign(window, { slowest_: slowest })
  new PerformanceObserver((list) => {
    for (const { name, duration, interactionId } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId) slowest[name] = Math.max(slowest[name] ?? 0, duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** Waits until the effects are over, as people do, and returns the slowest event since the last call. */
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

/** `hasWorked` is needed because the browser does not report events below 16 ms, and so no missing ones. */
type Act = [name: string, act: () => Promise<unknown>, hasWorked: () => Promise<unknown>]

/** Does the usual tasks of a reseller and returns the slowest event of each. */
async function oneDay(browser: Browser, language: Language, token: string): Promise<Map<string, number>> {
  const say = wordsOf(language)
  const context = await browser.newContext({
    storageState: stored(sessionItems(language, token)),
    hasTouch: true,
  })
  const page = await context.newPage()
  await page.addInitScript(watchEvents)
  await slowCpu(await context.newCDPSession(page))
  const first = () => page.locator('main [aria-rowindex]').first()
  const choice = (index: number) => page.getByRole('combobox').nth(index)
  const search = page.getByRole('searchbox')
  const dialog = page.getByRole('dialog')
  const tick = (index: number) => page.locator('main [aria-rowindex]').nth(index).getByRole('checkbox')
  const daysField = field(page, say('accounts.renew.days'))
  const leave = () => page.keyboard.press('Escape', press)
  const isOpen = () => expect(dialog).toBeVisible()
  const isClosed = () => expect(dialog).toBeHidden()
  const other = languages.find((one) => one !== language) ?? language
  const acts: Act[] = [
    ['tick one', () => tick(0).click(press), () => expect(tick(0)).toBeChecked()],
    ['tick all', () => page.getByLabel(/40|۴۰/).first().click(press), () => expect(tick(1)).toBeChecked()],
    ['open many', () => button(page, say('accounts.bulk.renew')).click(press), isOpen],
    ['close', leave, isClosed],
    [
      'untick',
      () => button(page, say('accounts.clearSelection')).click(press),
      () => expect(tick(0)).not.toBeChecked(),
    ],
    [
      'search',
      () => search.pressSequentially('customer_7', press),
      () => expect(search).toHaveValue('customer_7'),
    ],
    ['filter', () => choice(0).press('ArrowDown', press), () => expect(choice(0)).toHaveValue('active')],
    [
      'order',
      () => choice(1).press('ArrowUp', press),
      () => expect(choice(1)).toHaveValue('accountCreatedDate'),
    ],
    ['open one', () => first().getByRole('link').click(press), () => expect(first()).toBeHidden()],
    ['enlarge', () => button(page, say('accounts.qr.enlarge')).click(press), isOpen],
    ['close it', leave, isClosed],
    ['renew', () => button(page, say('accounts.renew.action')).click(press), isOpen],
    ['days', () => daysField.pressSequentially('1', press), () => expect(daysField).toHaveValue('130')],
    ['close again', leave, isClosed],
    [
      'language',
      () => page.getByRole('banner').getByRole('button').last().click(press),
      () => expect(page.locator('html')).toHaveAttribute('lang', other),
    ],
  ]
  await page.goto(testedProduct().url + paths.accounts)
  await expect(first()).toBeVisible()
  await slowest(page)
  const took = new Map<string, number>()
  for (const [name, act, hasWorked] of acts) {
    await act()
    took.set(name, await slowest(page))
    await hasWorked()
  }
  await context.close()
  return took
}

for (const language of languages)
  test(`presses and keys on a slow phone are answered within the limits, ${language}`, async ({
    browser,
  }) => {
    const { reseller } = await resellerWith(rows)
    const seen: Map<string, number>[] = []
    for (let day = 0; day < days; day++) seen.push(await oneDay(browser, language, reseller.token))
    const figures = [...(seen[0]?.keys() ?? [])].map((name) => {
      const all = seen.map((took) => took.get(name) ?? Number.NaN)
      return { name, least: Math.min(...all), middle: median(all) }
    })
    const ms = (value: number) => `${String(value).padStart(5)} ms`
    const lines = figures.map(({ name, least, middle }) => `${name.padEnd(12)}${ms(least)}${ms(middle)}`)
    console.log(`\n${language}            least   median\n${lines.join('\n')}\n`)
    expect(
      Math.max(...figures.map(({ middle }) => middle)),
      'events that the browser reported',
    ).toBeGreaterThan(0)
    // A busy machine only adds time, so the minimum is the page's own.
    for (const { name, least } of figures)
      expect.soft(least, `${language}: ${name}`).toBeLessThanOrEqual(limits.interactionMs)
  })
