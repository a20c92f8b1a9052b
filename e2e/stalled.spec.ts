import { languageFacts, languages, timings } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { paths } from '../apps/web/src/lib/paths.ts'
import { button, field, heading, notice, pauseClock } from './see.ts'
import { asReseller, expect, test } from './test.ts'
import { holdFiles } from './wire.ts'

const scripts = '**/assets/*.js'
const words = '**/assets/words-*/**'
const tooLong = (page: Page) => page.clock.runFor(timings.chunkTimeoutMs + 1_000)

/** Requests files that never arrive, and lets their timeout pass. The clock is paused, so that the notice does not hide itself. */
async function stall(page: Page, files: string, begin: () => Promise<void>): Promise<void> {
  const asked = page.waitForRequest(files)
  await pauseClock(page)
  await begin()
  await asked
  await tooLong(page)
}

for (const [test_, path] of [
  [test, paths.home],
  [asReseller, paths.dashboard],
] as const)
  test_(
    `${path} says after two minutes that its scripts did not come, and works when they do`,
    async ({ page, say }) => {
      await page.clock.install()
      const letGo = await holdFiles(page, scripts)
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.locator('main h1')).toBeVisible()
      await page.clock.runFor(timings.chunkTimeoutMs - 30_000)
      await expect(page.getByRole('alert').getByText(say('client.chunkFailed'))).toHaveCount(0)
      await tooLong(page)
      await expect(page.getByRole('alert').getByText(say('client.chunkFailed'))).toBeVisible()
      await expect(page.getByRole('link', { name: say('failure.reload') })).toBeVisible()
      letGo()
      await expect(page.getByRole('link', { name: say('failure.reload') })).toHaveCount(0)
      await expect(page.locator('#root')).toHaveJSProperty('inert', false)
    },
  )

test('scripts that fail are reported at once', async ({ page, say }) => {
  await page.route(scripts, (route) => route.abort())
  await page.goto(paths.signIn)
  await expect(page.getByRole('alert').getByText(say('client.chunkFailed'))).toBeVisible()
})

asReseller('a screen, words and rules that stall fail after two minutes', async ({ page, say, language }) => {
  await page.clock.install()
  const other = languages.find((one) => one !== language) ?? language
  await page.goto(paths.home)
  await expect(page.getByRole('link', { name: 'sales@kelid.test' })).toBeAttached()
  await page.route('**/assets/**', () => {})

  await stall(page, words, () => button(page, languageFacts[other].ownName).click())
  await expect(notice(page, say('client.chunkFailed'))).toBeVisible()
  await page.clock.resume()
  const dashboard = page.getByRole('link', { name: say('shell.dashboard'), exact: true })
  await stall(page, scripts, () => dashboard.click())
  await expect(heading(page, say('client.chunkFailed'))).toBeVisible()
})

test('rules of a form that stall fail after two minutes', async ({ page, say }) => {
  await page.clock.install()
  const rules = '**/assets/visitor-auth-calls-*'
  await page.route(rules, () => {})
  await page.goto(paths.signIn)
  // The last part of the screen: one that still loads would time out too and remove the form.
  await expect(field(page, say('sms.phone'))).toBeVisible()
  await stall(page, rules, () => field(page, say('auth.email')).focus())
  await expect(notice(page, say('client.chunkFailed'))).toBeVisible()
  await expect(field(page, say('auth.email'))).toBeVisible()
})
