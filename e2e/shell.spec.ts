import { getAccount, languageFacts, languages } from '@kelid/contract'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { button, heading, notice, waitForHydration } from './see.ts'
import { asReseller, expect, test } from './test.ts'
import { rewrite } from './wire.ts'
import { wordsOf } from './words.ts'

test('a logo at home, an arrow elsewhere that goes one step back', async ({ page, say }) => {
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

asReseller('the bottom bar leads to the three areas and says where one is', async ({ page, say }) => {
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

test('an address works without its last slash and is shown with it', async ({ page, say }) => {
  await page.goto('/settings/login')
  await expect(heading(page, say('auth.signInTitle'))).toBeVisible()
  await expect(page).toHaveURL(paths.signIn)
})

test('the language switch turns words and direction around, and a reload keeps them', async ({
  page,
  language,
}) => {
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

test('an address that leads nowhere says so and leads home', async ({ page, say }) => {
  await page.goto('/nowhere/at/all')
  await expect(heading(page, say('notFound.title'))).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: say('shell.home') })
    .click()
  await expect(heading(page, say('home.title'))).toBeVisible()
})

test('a part of the program that does not arrive can be asked for again', async ({ page, say }) => {
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

asReseller('a screen that breaks leaves the bars, and they lead away', async ({ page, say, reseller }) => {
  const { accountUUID } = await reseller.account()
  await rewrite(page, getAccount, (account) => ({ ...account, accountExpireDate: 'never' }))
  await page.goto(accountPath(accountUUID))
  await expect(heading(page, say('failure.title'))).toBeVisible()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: say('shell.dashboard') })
    .click()
  await expect(heading(page, say('overview.title'))).toBeVisible()
})

asReseller(
  'words that do not arrive are told and can be asked for again',
  async ({ page, say, language }) => {
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
  },
)
