import { getAccount, languageFacts, languages } from '@kelid/contract'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { button, heading, link, notice, waitForHydration } from './see.ts'
import { asReseller, expect, test } from './test.ts'
import { rewrite } from './wire.ts'
import { wordsOf } from './words.ts'

test('the bar shows the logo at home and an arrow back elsewhere', async ({ page, say }) => {
  await page.goto(paths.home)
  const back = button(page, say('shell.back'))
  await expect(page.getByRole('banner')).toContainText('Kelid')
  await expect(back).toHaveCount(0)
  await page.getByRole('link', { name: say('home.start') }).click()
  await expect(heading(page, say('auth.signUpTitle'))).toBeVisible()
  await page.getByRole('link', { name: say('auth.signIn') }).click()
  await expect(heading(page, say('auth.signInTitle'))).toBeVisible()
  await back.click()
  await expect(heading(page, say('auth.signUpTitle'))).toBeVisible()
  await back.click()
  await expect(page).toHaveURL(paths.home)

  await page.goto(paths.settings)
  await back.click()
  await expect(page).toHaveURL(paths.home)
})

asReseller('the bottom bar links to three screens and marks the current one', async ({ page, say }) => {
  await page.goto(paths.home)
  const bar = page.getByRole('navigation', { name: say('shell.navigation') })
  for (const [name, path] of [
    [say('shell.dashboard'), paths.dashboard],
    [say('shell.settings'), paths.settings],
    [say('shell.home'), paths.home],
  ] as const) {
    await bar.getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
    await expect(bar.locator('[aria-current=page]')).toHaveText(name)
  }
})

test('an address without its last slash is completed', async ({ page, say }) => {
  await page.goto('/settings/login')
  await expect(heading(page, say('auth.signInTitle'))).toBeVisible()
  await expect(page).toHaveURL(paths.signIn)
})

test('the language switch changes words and direction for good', async ({ page, language }) => {
  const other = languages.find((one) => one !== language) ?? language
  await page.goto(paths.signIn)
  await waitForHydration(page)
  await button(page, languageFacts[other].ownName).click()
  const root = page.locator('html')
  for (const _ of ['switched', 'reloaded']) {
    await expect(root).toHaveAttribute('lang', other)
    await expect(root).toHaveAttribute('dir', languageFacts[other].dir)
    await expect(heading(page, wordsOf(other)('auth.signInTitle'))).toBeVisible()
    await page.reload()
  }
  await waitForHydration(page)
  await button(page, languageFacts[language].ownName).click()
  await expect(heading(page, wordsOf(language)('auth.signInTitle'))).toBeVisible()
})

test('an unknown address says so and links home', async ({ page, say }) => {
  await page.goto('/nowhere/at/all')
  await expect(heading(page, say('notFound.title'))).toBeVisible()
  await link(page.getByRole('main'), say('shell.home')).click()
  await expect(heading(page, say('home.title'))).toBeVisible()
})

test('a script that fails to load can be requested again', async ({ page, say }) => {
  await page.goto(paths.home)
  await waitForHydration(page)
  await page.route('**/assets/settings-screen*', (route) => route.abort())
  await page.getByRole('link', { name: say('shell.settings') }).click()
  await expect(heading(page, say('client.chunkFailed'))).toBeVisible()
  await expect(page.getByText(say('failure.chunkText'))).toBeVisible()
  await page.unrouteAll()
  await button(page, say('failure.retry')).click()
  await expect(heading(page, say('settings.title'))).toBeVisible()
})

asReseller('a screen that fails leaves the bars usable', async ({ page, say, reseller }) => {
  const { accountUUID } = await reseller.account()
  await rewrite(page, getAccount, (account) => ({ ...account, accountExpireDate: 'never' }))
  await page.goto(accountPath(accountUUID))
  await expect(heading(page, say('failure.title'))).toBeVisible()
  await link(page.getByRole('navigation'), say('shell.dashboard')).click()
  await expect(heading(page, say('overview.title'))).toBeVisible()
})

asReseller('words that fail to load are reported and requested again', async ({ page, say, language }) => {
  const words = '**/assets/words-*/**/*.json'
  const other = languages.find((one) => one !== language) ?? language
  const toOther = button(page, languageFacts[other].ownName)
  await page.goto(paths.home)
  await waitForHydration(page)
  await page.route(words, (route) => route.abort())
  await toOther.click()
  await expect(notice(page, say('client.chunkFailed'))).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await page.getByRole('link', { name: say('shell.dashboard'), exact: true }).click()
  await expect(heading(page, say('client.chunkFailed'))).toBeVisible()

  await page.unroute(words)
  await button(page, say('failure.retry')).click()
  await expect(heading(page, say('overview.title'))).toBeVisible()
  await toOther.click()
  await expect(heading(page, wordsOf(other)('overview.title'))).toBeVisible()
})
