import type { ClientConfig } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { paths } from '../apps/web/src/lib/paths.ts'
import { testedProduct } from './product/tested-product.ts'
import { button, heading, notice } from './see.ts'
import { expect, asReseller as test } from './test.ts'
import { rewriteConfig } from './wire.ts'

/** Moves one of the three servers to an address that does not answer. */
async function takeAway(page: Page, server: keyof ClientConfig) {
  await rewriteConfig(page, { [server]: `${testedProduct().url}/away` })
  await page.route('**/away/**', (route) => route.abort())
}

test('without the reply server everything works but live changes', async ({ page, say, reseller }) => {
  await takeAway(page, 'replyServer')
  await reseller.account()
  await page.goto(paths.accounts)
  await page.getByRole('link', { name: 'ali_phone' }).click()
  await page.getByRole('switch', { name: say('accounts.statusSwitch') }).uncheck()
  await expect(notice(page, say('accounts.nowDisabled', { name: 'ali_phone' }))).toBeVisible()
})

test('without the messaging server only codes cannot be sent', async ({ page, say }) => {
  await takeAway(page, 'messagingServer')
  await page.goto(paths.smsCheck.replace(':phone', '09120000000'))
  await button(page, say('sms.send')).click()
  await expect(notice(page, say('errors.UNREACHABLE'))).toBeVisible()
  await page.getByRole('link', { name: say('shell.dashboard') }).click()
  await expect(heading(page, say('overview.title'))).toBeVisible()
  await expect(page.getByText(say('overview.noAccounts'))).toBeVisible()
})

test('without the app server the page says what could not be read', async ({ page, say }) => {
  await takeAway(page, 'appServer')
  await page.goto(paths.dashboard)
  await expect(heading(page, say('overview.title'))).toBeVisible()
  // The read is retried three times first, after 1, 2 and 4 seconds.
  await expect(page.getByRole('main').getByText(say('client.fetchingAccounts'))).toHaveCount(2)
})
