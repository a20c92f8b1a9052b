import { getAccount, getStatement, getUserAccounts, getUserCredit, quoteAccount } from '@kelid/contract'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { examine } from './examine.ts'
import { button, field, heading, notice, waitForHydration } from './see.ts'
import { asEmpty, asFull } from './shared-resellers.ts'
import { expect, test } from './test.ts'
import { holdBack, refuse, rewrite } from './wire.ts'

const calm = { contextOptions: { reducedMotion: 'reduce' } } as const
test.use(calm)
asFull.use(calm)
asEmpty.use(calm)

const reads = [getUserAccounts, getUserCredit, getStatement]
const nobody = '11111111-1111-4111-8111-111111111111'

test('errors at sign-up and an unknown address', async ({ page, say, language }) => {
  await page.goto(paths.signUp)
  await waitForHydration(page)
  await field(page, say('auth.email')).fill('nobody')
  await field(page, say('auth.password')).fill('short')
  await field(page, say('auth.email')).press('Enter')
  await expect(notice(page, say('client.incompleteInformation'))).toBeVisible()
  await examine(page, 'sign-up-errors', language)

  await page.goto('/nowhere')
  await expect(heading(page, say('notFound.title'))).toBeVisible()
  await examine(page, 'not-found', language)
})

asEmpty('the screens of a new user', async ({ page, say, language }) => {
  await page.goto(paths.dashboard)
  await expect(page.getByText(say('overview.noAccounts'))).toBeVisible()
  await expect(page.getByText(say('statement.empty'))).toBeVisible()
  await examine(page, 'dashboard-empty', language)

  await page.goto(paths.accounts)
  await expect(heading(page, say('client.noAccounts'))).toBeVisible()
  await examine(page, 'accounts-empty', language)

  await page.goto(paths.statement)
  await expect(page.getByText(say('statement.empty'))).toBeVisible()
  await examine(page, 'statement-empty', language)

  await page.goto(paths.newAccount)
  await field(page, say('accounts.name')).fill('ali')
  await field(page, say('accounts.vpnType')).selectOption('hysteria2-direct')
  await expect(page.getByText(say('accounts.quote.refused.INSUFFICIENT_CREDIT'))).toBeVisible()
  await examine(page, 'new-account-refused', language)
})

asFull('screens without an answer', async ({ page, say, language, full }) => {
  for (const call of [...reads, getAccount]) await holdBack(page, call)
  const loading = page.getByRole('status', { name: say('ui.loading') }).first()
  for (const [name, path] of [
    ['dashboard', paths.dashboard],
    ['accounts', paths.accounts],
    ['account', accountPath(full.disabled.accountUUID)],
  ] as const) {
    await page.goto(path)
    await expect(loading).toBeVisible()
    await examine(page, `${name}-loading`, language)
  }
})

asFull('screens after a failure', async ({ page, context, say, language, full }) => {
  await page.goto(accountPath(nobody))
  await expect(heading(page, say('client.fetchingAccount'))).toBeVisible()
  await examine(page, 'account-gone', language)

  for (const call of reads) await refuse(page, call, 'INTERNAL', { requestId: 'req-1' })
  await page.goto(paths.statement)
  await expect(page.getByText(say('statement.failed'))).toBeVisible()
  await examine(page, 'statement-error', language)
  await page.goto(paths.accounts)
  await expect(button(page, say('ui.tryAgain')).first()).toBeVisible()
  await examine(page, 'accounts-error', language)

  await rewrite(page, getAccount, (account) => ({ ...account, accountExpireDate: 'never' }))
  await page.goto(accountPath(full.disabled.accountUUID))
  await expect(heading(page, say('failure.title'))).toBeVisible()
  await examine(page, 'failure', language)

  await refuse(page, quoteAccount, 'BUSY')
  await page.goto(paths.newAccount)
  await field(page, say('accounts.vpnType')).selectOption('hysteria2-direct')
  await expect(page.getByText(say('accounts.quote.failed'))).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText(say('shell.offline'))).toBeVisible()
  await examine(page, 'new-account-error-offline', language)
})
