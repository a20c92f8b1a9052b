import {
  type Answer,
  getActivity,
  getAudit,
  getAuditSummary,
  getDashboard,
  limits,
  type Sent,
} from '@kelid/contract'
import { adminAccountPath, adminPaths, personPath } from '../apps/web/src/admin/paths.ts'
import { examine } from './examine.ts'
import { newReseller } from './people.ts'
import { beside, button, field, heading } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { holdBack, letThrough, refuse, rewrite } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

type Board = Sent<typeof getDashboard>

const calm = (board: Board): Board => ({
  ...board,
  servers: { ...board.servers, failed: 0 },
  tunnels: { ...board.tunnels, failed: 0 },
  ledgerIsSound: true,
  auditIsSound: true,
  silentServers: 0,
  silentTunnels: 0,
  strangeAuthorities: [],
  lateJobs: [],
  rooms: [],
})

const broken = (board: Board): Board => ({
  ...board,
  servers: { ...board.servers, failed: 2 },
  downTunnels: 1,
  strangeAuthorities: [{ fingerprint: '5d'.repeat(32), hosts: 12, lastDate: new Date().toISOString() }],
  ledgerFindings: 3,
  auditIsSound: false,
  lateJobs: [{ name: 'ledger', lastSuccessDate: new Date(Date.now() - 9_000_000).toISOString() }],
  rooms: board.rooms.map((room, index) => (index === 0 ? { ...room, full: room.hosts } : room)),
  lastFailures: board.lastFailures.map((failure) => ({
    ...failure,
    name: 'W'.repeat(limits.textMax),
    state: 'failed' as const,
  })),
  totalDebt: 1_234.5,
  debtByAge: board.debtByAge.map((row, index) => ({ ...row, users: index + 1, debt: 300 + index })),
})

/** Data for the charts. */
const busy = (activity: Answer<typeof getActivity>): Answer<typeof getActivity> => ({
  days: activity.days.map((one, index) => ({
    ...one,
    created: (index * 7) % 23,
    renewed: (index * 5) % 31,
    pointsSold: ((index * 7) % 23) * 300,
  })),
  expiring: activity.expiring.map((one, index) => ({ ...one, accounts: (index * 11) % 37 })),
})

test('the dashboard shows problems first, and its figures are links', async ({ page, say, language }) => {
  await (await newReseller()).account()
  await rewrite(page, getActivity, busy)
  await rewrite(page, getDashboard, broken)
  await page.goto(adminPaths.dashboard)
  await expect(heading(page, say('board.broken'))).toBeVisible()
  await expect(page.locator('figure svg[role=img]')).toHaveCount(4)
  await examine(page, 'admin-dashboard-broken', language)
  await page.getByText(say('board.table')).first().click()
  await expect(page.locator('figure table').first().getByRole('row')).toHaveCount(31)

  await letThrough(page, getDashboard)
  await rewrite(page, getDashboard, calm)
  await page.reload()
  await expect(page.getByText(say('board.fine'))).toBeVisible()
  await examine(page, 'admin-dashboard-calm', language)

  await page.getByText(say('board.sold')).locator('..').getByRole('link').click()
  await expect(page.getByRole('figure', { name: say('board.pointsSold') })).toBeInViewport()

  await page.locator(`main a[href="${adminPaths.accounts}?state=active"]`).click()
  await expect(page).toHaveURL(`${adminPaths.accounts}?state=active`)
  await expect(heading(page, say('allAccounts.title'))).toBeVisible()
  await expect(page.getByRole('status', { name: say('ui.loading') })).toHaveCount(0)
  await page.goBack()

  await letThrough(page, getDashboard)
  await refuse(page, getDashboard, 'BUSY')
  await refuse(page, getActivity, 'BUSY')
  await page.reload()
  await expect(page.getByText(say('board.failed'))).toBeVisible()
  await examine(page, 'admin-dashboard-error', language)

  await holdBack(page, getDashboard)
  await page.reload()
  await expect(page.getByRole('status', { name: say('ui.loading') }).first()).toBeVisible()
})

test('an incomplete phone number is refused', async ({ page, say }) => {
  const { email } = await newReseller()
  await page.goto(personPath(email))
  await button(page, say('person.phone.action')).click()
  const phone = field(page, say('person.phone.label'))
  await phone.fill('0912')
  await phone.blur()
  await expect(await beside(phone)).toHaveText(say('contactRules.phone'))
})

test('the audit log is filtered, downloaded and checked', async ({ page, say, language, administrator }) => {
  const seller = await newReseller()
  await page.goto(adminPaths.audit)
  const table = page.getByRole('table', { name: say('menu.audit') })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await examine(page, 'admin-audit', language)

  await field(page, say('auditLog.person')).fill(seller.email)
  await expect(page).toHaveURL(`${adminPaths.audit}?person=${encodeURIComponent(seller.email)}`)
  await field(page, say('auditLog.action')).selectOption('adjustusercredit')
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.getByText(say('auditLog.actions.adjustusercredit'))).toBeVisible()
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(field(page, say('auditLog.person'))).toHaveValue(seller.email)
  await examine(page, 'admin-audit-filtered', language)

  const saved = page.waitForEvent('download')
  await button(page, say('auditLog.export')).click()
  expect((await saved).suggestedFilename()).toMatch(/^audit-.*\.csv$/)

  await field(page, say('auditLog.action')).selectOption('createadmin')
  await button(page, say('list.showAll')).click()
  await expect(field(page, say('auditLog.person'))).toHaveValue('')

  await button(page, say('auditLog.check')).click()
  await expect(page.getByText(say('auditLog.checking'))).toBeVisible()
  await expect(button(page, say('auditLog.check'))).toBeVisible({ timeout: 60_000 })
  await page.goto(`${adminPaths.audit}?actor=${administrator.email}&action=checkaudit`)
  await expect(table.getByRole('row')).toHaveCount(2)

  await rewrite(page, getAuditSummary, (summary) => ({
    ...summary,
    auditIsSound: false,
    auditBrokenLine: 17,
    auditEndIsSound: false,
  }))
  await refuse(page, getAudit, 'BUSY')
  await page.goto(adminPaths.audit)
  await expect(page.getByText(say('auditLog.unsound'))).toBeVisible()
  await expect(page.getByText(say('auditLog.failed')).first()).toBeVisible()
  await examine(page, 'admin-audit-broken', language)
})

test("the search finds users, accounts and a customer's link", async ({ page, say, language }) => {
  const seller = await newReseller()
  const account = await seller.account({ accountName: `find_${Date.now()}` })
  await page.goto(adminPaths.audit)
  await expect(button(page.locator('main'), say('finder.open'))).toBeVisible()

  await page.keyboard.press('/')
  const box = page.getByRole('searchbox', { name: say('finder.field') })
  await expect(box).toBeFocused()
  await box.fill(account.accountName.slice(0, -2))
  await expect(page.getByRole('dialog').getByRole('link', { name: seller.email })).toBeVisible()
  await examine(page, 'admin-search', language)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await button(page.locator('main'), say('finder.open')).click()
  await box.fill(`https://sold-by-somebody.example${account.accountSubscriptionPath}`)
  await expect(page.getByRole('dialog').getByText(account.accountName)).toBeVisible()
  await box.press('Enter')
  await expect(page).toHaveURL(adminAccountPath(account.accountUUID))

  // The heading is prerendered; the link shows that the scripts run.
  await page.goto(adminPaths.home)
  await expect(page.getByRole('link', { name: say('admin.vpn'), exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await box.fill(seller.email)
  await page.getByRole('dialog').getByRole('link', { name: seller.email }).click()
  await expect(page).toHaveURL(personPath(seller.email))
  await expect(page.getByRole('dialog')).toBeHidden()
})
