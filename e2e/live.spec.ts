import { newAccount, routes, setEnabled } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { paths } from '../apps/web/src/lib/paths.ts'
import { accountRows, button, heading } from './see.ts'
import { expect, asReseller as test } from './test.ts'

/** Waits for the event stream: events before it opens are not delivered. */
async function openLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse(`**${routes.events.path}`)
  await page.goto(path)
  await stream
}

test('changes on another device appear without a reload', async ({ page, say, reseller }) => {
  const other = await reseller.again()
  const { accountUUID } = await reseller.account()
  await openLive(page, paths.accounts)
  const card = accountRows(page).filter({ hasText: 'ali_phone' })
  await expect(card).toContainText(say('accounts.enabled'))
  await other.call(setEnabled, { accountUUID, accountEnabled: false })
  await expect(card).toContainText(say('accounts.disabled'))
  await other.call(newAccount, {
    accountName: 'from_elsewhere',
    accountVPNType: 'hysteria2-direct',
    accountTunnelEnabled: false,
    accountTunnelType: '',
    accountDuration: 3,
  })
  await expect(page.getByRole('link', { name: 'from_elsewhere' })).toBeVisible()
})

test('logging out in one tab logs out the other', async ({ page, context, say }) => {
  await page.goto(paths.dashboard)
  await expect(heading(page, say('overview.title'))).toBeVisible()
  const other = await context.newPage()
  await other.goto(paths.settings)
  await button(other, say('settings.signOut')).first().click()
  await expect(heading(page, say('auth.signInTitle'))).toBeVisible()
})
