import {
  addPlan,
  deletePlan,
  getAllPlans,
  getStatement,
  getUserAccounts,
  getUserCredit,
} from '@kelid/contract'
import { adminPaths } from '../apps/web/src/admin/paths.ts'
import { formatNumber } from '../apps/web/src/lib/format.ts'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { asAdmin, newReseller } from './people.ts'
import { button, field, notice } from './see.ts'
import { asAdministrator, expect, sessionItems, stored, asReseller as test } from './test.ts'

/** All tests share one product, so a plan is for one reseller only. */
const planFor = (email: string, change: object = {}) => ({
  planUUID: crypto.randomUUID(),
  planNames: { en: 'One month', fa: 'یک‌ماهه' },
  planWays: [{ accountVPNType: 'hysteria2-direct' as const, accountTunnelType: '' as const, countryId: 0 }],
  accountDuration: 30,
  accountDataLimit: 50,
  accountDataReset: 'none' as const,
  accountStart: 'now' as const,
  planPoints: 250,
  planTunnelCredit: 0,
  planForAll: false,
  planResellers: [email],
  planActive: true,
  ...change,
})

asAdministrator(
  'a plan is made by an administrator and bought by its reseller',
  async ({ page, browser, say, language }) => {
    const reseller = await newReseller()
    const names = { en: `Plan ${reseller.email.slice(1, 7)}`, fa: `طرح ${reseller.email.slice(1, 7)}` }
    const name = names[language]
    await page.goto(adminPaths.plans)
    await button(page, say('plans.add')).click()
    const dialog = page.getByRole('dialog')
    const inDialog = (label: string) => dialog.getByLabel(label, { exact: true })
    await expect(button(dialog, say('plans.save'))).toBeDisabled()
    await inDialog(say('plans.nameIn', { language: 'English' })).fill(names.en)
    await inDialog(say('plans.nameIn', { language: 'فارسی' })).fill(names.fa)
    await inDialog(say('plans.duration')).fill('۳۰')
    await inDialog(say('plans.data')).fill('50')
    await inDialog(say('plans.pricePoints')).fill('250')
    await inDialog(say('plans.seenBy')).selectOption('chosen')
    await inDialog(say('list.search')).fill(reseller.email)
    await inDialog(reseller.email).check()
    await button(dialog, say('plans.save')).click()
    await expect(notice(page, say('plans.added', { name }))).toBeVisible()
    const row = page.getByRole('row', { name })
    await expect(row).toContainText(say('plans.chosen', { count: 1, shown: formatNumber(1, language) }))

    const context = await browser.newContext({
      storageState: stored(sessionItems(language, reseller.token)),
      viewport: page.viewportSize(),
    })
    const shop = await context.newPage()
    await shop.goto(paths.newAccount)
    await expect(shop.getByRole('radio', { name })).toBeChecked()
    await field(shop, say('accounts.name')).fill('planned')
    await button(shop, say('accounts.create')).click()
    await expect(notice(shop, say('accounts.created', { name: 'planned' }))).toBeVisible()
    const { items } = await reseller.call(getUserAccounts, {})
    expect(items).toMatchObject([{ accountDataLimit: 50, accountPlan: { planName: names.en } }])
    expect((await reseller.call(getUserCredit, {})).userCredit).toBe(9_750)

    await row.getByRole('switch').click()
    await expect(notice(page, say('plans.nowEnded', { name }))).toBeVisible()
    await shop.goto(paths.newAccount)
    await expect(field(shop, say('accounts.vpnType'))).toBeVisible()
    await expect(shop.getByRole('radio')).toHaveCount(0)
    await context.close()

    await button(row, say('plans.delete', { name })).click()
    await button(dialog, say('plans.deleteConfirm')).click()
    await expect(notice(page, say('plans.deleted', { name }))).toBeVisible()
    await expect(row).toHaveCount(0)
  },
)

asAdministrator('plans are put in order and changed', async ({ page, say, language, administrator }) => {
  const own = administrator.email.slice(1, 7)
  const named = (which: string) => ({ en: `${which} ${own}`, fa: `${which} ${own}` })
  const plans = [
    planFor(administrator.email, { planNames: named('first') }),
    planFor(administrator.email, { planNames: named('second') }),
  ]
  for (const plan of plans) await asAdmin()(addPlan, plan)
  await page.goto(adminPaths.plans)
  const name = `second ${own}`
  await button(page, say('plans.up', { name })).click()
  const order = async () =>
    (await asAdmin()(getAllPlans, {})).items
      .map(({ planNames }) => planNames.en)
      .filter((one) => one.endsWith(own))
  await expect.poll(order).toEqual([name, `first ${own}`])

  await button(page, say('plans.edit', { name })).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('plans.pricePoints'), { exact: true }).fill('99')
  await button(dialog, say('plans.save')).click()
  await expect(notice(page, say('plans.saved', { name }))).toBeVisible()
  const shown = say('plans.points', { count: 99, shown: formatNumber(99, language) })
  await expect(page.getByRole('row', { name })).toContainText(shown)
  for (const { planUUID } of plans) await asAdmin()(deletePlan, { planUUID })
})

test('an account is bought and renewed by plan, or renewed by custom days', async ({
  page,
  say,
  language,
  reseller,
}) => {
  const plan = planFor(reseller.email)
  const { planUUID } = plan
  const name = plan.planNames[language]
  await asAdmin()(addPlan, plan)
  await page.goto(paths.newAccount)
  await expect(page.getByRole('radio', { name })).toBeChecked()
  await field(page, say('accounts.name')).fill('ali')
  await page.getByRole('radio', { name: say('accounts.plan.custom') }).check()
  await expect(field(page, say('accounts.vpnType'))).toBeVisible()
  await expect(field(page, say('accounts.name'))).toHaveValue('ali')
  await page.getByRole('radio', { name }).check()
  await button(page, say('accounts.create')).click()
  await page.waitForURL(paths.accounts)

  const [account] = (await reseller.call(getUserAccounts, {})).items
  await page.goto(accountPath(account?.accountUUID ?? ''))
  await expect(page.getByText(name, { exact: true })).toBeVisible()
  await button(page, say('accounts.renew.action')).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio', { name })).toBeChecked()
  await expect(field(page, say('accounts.renew.days'))).toHaveCount(0)
  await button(dialog, say('accounts.renew.confirm')).click()
  await expect(dialog).toHaveCount(0)
  const entries = (await reseller.call(getStatement, {})).items
  expect(entries.map((entry) => [entry.entryMovement, entry.entryAmount, entry.entryPlan])).toEqual([
    ['renew', -250, 'One month'],
    ['create', -250, 'One month'],
    ['adjustment', 500, null],
    ['adjustment', 10_000, null],
  ])

  await button(page, say('accounts.renew.action')).click()
  await dialog.getByRole('radio', { name: say('accounts.plan.custom') }).check()
  await expect(field(page, say('accounts.renew.days'))).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto(paths.statement)
  await expect(page.getByText(name).first()).toBeVisible()
  await asAdmin()(deletePlan, { planUUID })
})
