import { getAccount, getStatement, getUserAccounts, getUserCredit, quoteAccount } from '@kelid/contract'
import { accountPath, paths } from '../apps/web/src/screens/paths.ts'
import { examine } from './examine.ts'
import { button, field, heading, notice } from './see.ts'
import { asEmpty, asFull } from './shared-resellers.ts'
import { expect, test } from './test.ts'
import { holdBack, refuse, rewrite } from './wire.ts'

const calm = { contextOptions: { reducedMotion: 'reduce' } } as const
test.use(calm)
asFull.use(calm)
asEmpty.use(calm)

test.describe('a stranger sees', () => {
  test('home', async ({ page, say, language }) => {
    await page.goto(paths.home)
    await expect(heading(page, say('home.title'))).toBeVisible()
    await examine(page, 'home', language)
  })

  test('sign-in', async ({ page, say, language }) => {
    await page.goto(paths.signIn)
    await expect(heading(page, say('auth.signInTitle'))).toBeVisible()
    await examine(page, 'sign-in', language)
  })

  test('sign-up with errors', async ({ page, say, language }) => {
    await page.goto(paths.signUp)
    await field(page, say('auth.email')).fill('nobody')
    await field(page, say('auth.password')).fill('short')
    await field(page, say('auth.email')).press('Enter')
    await expect(notice(page, say('client.incompleteInformation'))).toBeVisible()
    await examine(page, 'sign-up-errors', language)
  })

  test('settings', async ({ page, say, language }) => {
    await page.goto(paths.settings)
    await expect(page.getByText(say('settings.signedOut'))).toBeVisible()
    await examine(page, 'settings-signed-out', language)
  })

  test('the SMS code', async ({ page, say, language }) => {
    await page.goto(paths.smsCheck.replace(':phone', '09121234567'))
    await expect(field(page, say('sms.code'))).toBeVisible()
    await examine(page, 'sms', language)
  })

  test('no such address', async ({ page, say, language }) => {
    await page.goto('/nowhere')
    await expect(heading(page, say('notFound.title'))).toBeVisible()
    await examine(page, 'not-found', language)
  })
})

asEmpty.describe('without anything yet', () => {
  asEmpty('the dashboard', async ({ page, say, language }) => {
    await page.goto(paths.dashboard)
    await expect(page.getByText(say('overview.noAccounts'))).toBeVisible()
    await expect(page.getByText(say('statement.empty'))).toBeVisible()
    await examine(page, 'dashboard-empty', language)
  })

  asEmpty('the accounts', async ({ page, say, language }) => {
    await page.goto(paths.accounts)
    await expect(heading(page, say('client.noAccounts'))).toBeVisible()
    await examine(page, 'accounts-empty', language)
  })

  asEmpty('a new account that is not covered', async ({ page, say, language }) => {
    await page.goto(paths.newAccount)
    await field(page, say('accounts.name')).fill('ali')
    await field(page, say('accounts.vpnType')).selectOption('hysteria2-direct')
    await expect(page.getByText(say('accounts.quote.refused.INSUFFICIENT_CREDIT'))).toBeVisible()
    await examine(page, 'new-account-refused', language)
  })
})

asFull.describe('while nothing comes', () => {
  asFull('the dashboard', async ({ page, say, language }) => {
    for (const call of [getUserAccounts, getUserCredit, getStatement]) await holdBack(page, call)
    await page.goto(paths.dashboard)
    await expect(page.getByRole('status', { name: say('ui.loading') }).first()).toBeVisible()
    await examine(page, 'dashboard-loading', language)
  })

  asFull('the accounts', async ({ page, say, language }) => {
    await holdBack(page, getUserAccounts)
    await page.goto(paths.accounts)
    await expect(page.getByRole('status', { name: say('ui.loading') })).toBeVisible()
    await examine(page, 'accounts-loading', language)
  })
})

asFull.describe('when it fails', () => {
  asFull('the dashboard', async ({ page, say, language }) => {
    for (const call of [getUserAccounts, getUserCredit, getStatement])
      await refuse(page, call, 'INTERNAL', { requestId: 'req-1' })
    await page.goto(paths.dashboard)
    await expect(page.getByText(say('statement.failed'))).toBeVisible()
    await examine(page, 'dashboard-error', language)
  })

  asFull('the accounts', async ({ page, say, language }) => {
    await refuse(page, getUserAccounts, 'UNAVAILABLE')
    await page.goto(paths.accounts)
    await expect(button(page, say('ui.tryAgain'))).toBeVisible()
    await examine(page, 'accounts-error', language)
  })

  asFull('an account that is gone', async ({ page, say, language }) => {
    await page.goto(accountPath('11111111-1111-4111-8111-111111111111'))
    await expect(heading(page, say('client.fetchingAccount'))).toBeVisible()
    await examine(page, 'account-gone', language)
  })

  asFull('a screen that breaks', async ({ page, say, language, full }) => {
    await rewrite(page, getAccount, (account) => ({ ...account, accountExpireDate: 'never' }))
    await page.goto(accountPath(full.disabled.accountUUID))
    await expect(heading(page, say('failure.title'))).toBeVisible()
    await examine(page, 'failure', language)
  })

  asFull('a price that cannot be read, without a network', async ({ page, context, say, language }) => {
    await refuse(page, quoteAccount, 'BUSY')
    await page.goto(paths.newAccount)
    await field(page, say('accounts.vpnType')).selectOption('hysteria2-direct')
    await expect(page.getByText(say('accounts.quote.failed'))).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText(say('shell.offline'))).toBeVisible()
    await examine(page, 'new-account-error-offline', language)
  })
})
