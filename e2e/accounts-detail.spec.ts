import { readFile } from 'node:fs/promises'
import { accountPath } from '../apps/web/src/lib/paths.ts'
import { tunnelledAccount } from './people.ts'
import { modulesIn, modulesOf } from './qr-modules.ts'
import { button, field, heading, notice } from './see.ts'
import { expect, asReseller as test } from './test.ts'
import { holdFiles } from './wire.ts'

test('the QR code contains the link, enlarged and as a file', async ({ page, context, say, reseller }) => {
  const { accountUUID, accountName, accountQRString } = await reseller.account(tunnelledAccount)
  const wanted = modulesOf(accountQRString)
  await page.goto(accountPath(accountUUID))
  await button(page, say('accounts.qr.enlarge')).click()
  const large = page
    .getByRole('dialog')
    .getByRole('img', { name: say('accounts.qr.alt', { name: accountName }) })
  expect(await modulesIn(context, await large.screenshot(), wanted.length)).toEqual(wanted)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const file = page.waitForEvent('download')
  await button(page, say('accounts.qr.download')).click()
  const download = await file
  expect(download.suggestedFilename()).toBe(`${accountName}.png`)
  expect(await modulesIn(context, await readFile(await download.path()), wanted.length)).toEqual(wanted)
})

test('links are copied, imported and replaced', async ({ page, context, say, reseller, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { accountUUID, accountQRString, accountSubscriptionPath } = await reseller.account()
  const subscription = `${baseURL}${accountSubscriptionPath}`
  await page.goto(accountPath(accountUUID))
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await button(page, say('accounts.link.copyConfig')).click()
  await expect(notice(page, say('accounts.link.copied'))).toBeVisible()
  expect(await clipboard()).toBe(accountQRString)
  await button(page, say('accounts.link.copySubscription')).click()
  await expect.poll(clipboard).toBe(subscription)

  await field(page, say('accounts.import.system')).selectOption('android')
  await expect(page.getByRole('link', { name: 'Hiddify' })).toHaveAttribute(
    'href',
    new RegExp(`^hiddify://import/${subscription}#`),
  )
  const { searchParams } = new URL(
    (await page.getByRole('link', { name: 'v2rayNG' }).getAttribute('href')) ?? '',
  )
  expect(searchParams.get('url')).toBe(subscription)

  await button(page, say('accounts.link.replace')).click()
  await button(page.getByRole('dialog'), say('accounts.link.replace')).click()
  await expect(notice(page, say('accounts.link.replaced'))).toBeVisible()
  await expect(field(page, say('accounts.link.subscription'))).not.toHaveValue(subscription)
})

test('the renewal dialog opens before its script has arrived', async ({ page, say, reseller }) => {
  const { accountUUID, accountName: name } = await reseller.account()
  const letGo = await holdFiles(page, '**/assets/purchase-*.js')
  await page.goto(accountPath(accountUUID))
  await button(page, say('accounts.renew.action')).click()
  const dialog = page.getByRole('dialog', { name: say('accounts.renew.title', { name }) })
  await expect(dialog.getByLabel(say('ui.loading'))).toBeVisible()
  letGo()
  await expect(field(page, say('accounts.renew.days'))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button(page, say('accounts.renew.action'))).toBeFocused()
})

test('a missing account is reported with a link to the list', async ({ page, say }) => {
  await page.goto(accountPath('11111111-1111-4111-8111-111111111111'))
  await expect(heading(page, say('client.fetchingAccount'))).toBeVisible()
  await page.getByRole('link', { name: say('accounts.toList') }).click()
  await expect(heading(page, say('client.noAccounts'))).toBeVisible()
})
