import { languageFacts, languages, setEnabled } from '@kelid/contract'
import { wordsOf } from '../apps/api/src/features/subscription/page-words.ts'
import { modulesIn, modulesOf } from './qr-modules.ts'
import { heading } from './see.ts'
import { expect, test } from './test.ts'

test("a customer's page shows apps, QR code and languages", async ({ page, context, language, reseller }) => {
  const words = wordsOf[language]
  const account = await reseller.account()
  await page.goto(account.accountSubscriptionPath)
  await expect(heading(page, account.accountName)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('dir', languageFacts[language].dir)
  await expect(page.getByText(words.states.active, { exact: true })).toBeVisible()
  const url = page.url()
  await page.getByText(words.systems.android, { exact: true }).click()
  await expect(page.getByRole('link', { name: 'Hiddify' }).first()).toHaveAttribute(
    'href',
    new RegExp(`^hiddify://import/${url}`),
  )
  await expect(page.getByText(account.accountQRString, { exact: true })).toBeVisible()
  await page.getByText(words.enlarge).click()
  const wanted = modulesOf(account.accountQRString)
  const svg = page.locator('details.scan svg').first()
  expect(await modulesIn(context, await svg.screenshot(), wanted.length)).toEqual(wanted)
  await page.getByText(words.shrink, { exact: true }).click()

  const other = languages.find((one) => one !== language) ?? language
  await page.getByRole('link', { name: languageFacts[other].ownName }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', other)
})

test('a disabled link and an unknown link are reported', async ({ page, language, reseller }) => {
  const words = wordsOf[language]
  const { accountUUID, accountSubscriptionPath } = await reseller.account()
  await reseller.call(setEnabled, { accountUUID, accountEnabled: false })
  await page.goto(accountSubscriptionPath)
  await expect(page.getByText(words.reasons.disabled)).toBeVisible()
  await expect(page.locator('svg[shape-rendering]')).toHaveCount(0)
  await page.goto(`${accountSubscriptionPath.slice(0, -3)}AAA`)
  await expect(heading(page, words.missingTitle)).toBeVisible()
})
