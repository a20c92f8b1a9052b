import { day, getAccount } from '@kelid/contract'
import { wordsOf } from '../apps/api/src/features/subscription/page-words.ts'
import { formatNumber } from '../apps/web/src/lib/format.ts'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { examine } from './examine.ts'
import { accountRows, button, field, heading } from './see.ts'
import { asFull as test } from './shared-resellers.ts'
import { expect } from './test.ts'
import { rewrite } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const past = (days: number) => new Date(Date.now() - days * day).toISOString()

test('the list of accounts and the bulk renewal', async ({ page, say, language, full }) => {
  await page.goto(paths.accounts)
  await expect(accountRows(page).first()).toBeVisible()
  const count = { count: full.accounts.length, shown: formatNumber(full.accounts.length, language) }
  await page.getByRole('checkbox', { name: say('accounts.selectShown', count) }).check()
  await expect(page.getByRole('region', { name: say('accounts.bulk.label') })).toBeVisible()
  await examine(page, 'accounts-selected', language)

  await button(page, say('accounts.bulk.renew')).click()
  await expect(page.getByText(say('accounts.bulk.total'))).toBeVisible()
  await examine(page, 'bulk-renew', language)

  await page.goto(`${paths.accounts}?search=nobody`)
  await expect(page.getByText(say('accounts.noneMatch'))).toBeVisible()
  await examine(page, 'accounts-none-match', language)
})

test('an account with its dialogs', async ({ page, say, language, full }) => {
  await page.goto(accountPath(full.accounts.at(-1)?.accountUUID ?? ''))
  await expect(button(page, say('accounts.qr.download'))).toBeVisible()
  for (const [name, action, sign] of [
    ['account-qr', 'accounts.qr.enlarge', 'accounts.qr.scan'],
    ['account-renew', 'accounts.renew.action', 'accounts.renew.extend'],
    ['account-delete', 'accounts.delete.action', 'accounts.delete.text'],
  ] as const) {
    await button(page, say(action)).click()
    await expect(page.getByText(say(sign))).toBeVisible()
    await examine(page, name, language)
    await page.keyboard.press('Escape')
  }
})

test('an expired, an abused and a new account', async ({ page, say, language, full }) => {
  await rewrite(page, getAccount, (account) => ({
    ...account,
    accountDuration: 0,
    accountExpireDate: past(2),
    accountState: 'expired',
  }))
  await page.goto(accountPath(full.disabled.accountUUID))
  await expect(page.getByText(say('accounts.expired'))).toBeVisible()
  await examine(page, 'account-expired', language)

  await rewrite(page, getAccount, (account) => ({
    ...account,
    accountAbuse: true,
    accountAbuseEvidence: { devices: 4, seenDate: past(1) },
    accountState: 'abused',
  }))
  await page.goto(accountPath(full.accounts[0]?.accountUUID ?? ''))
  await expect(page.getByText(say('client.abuse'))).toBeVisible()
  await examine(page, 'account-abused', language)

  await page.goto(paths.newAccount)
  await field(page, say('accounts.name')).fill('ali')
  await field(page, say('accounts.vpnType')).selectOption('trojan')
  await field(page, say('accounts.tunnelType')).selectOption('wstunnel')
  await expect(page.getByText(say('accounts.quote.tunnelCreditLeft'))).toBeVisible()
  await examine(page, 'new-account', language)
})

test("the customer's page", async ({ page, language, full }) => {
  const { accountName, accountSubscriptionPath } = full.accounts.at(-1) ?? full.disabled
  await page.goto(accountSubscriptionPath)
  await expect(heading(page, accountName)).toBeVisible()
  await examine(page, 'subscription', language)
  await page.goto(full.disabled.accountSubscriptionPath)
  await expect(page.getByText(wordsOf[language].reasons.disabled)).toBeVisible()
  await examine(page, 'subscription-disabled', language)
})
