import { getUserAccounts, gigabyte, wrap } from '@kelid/contract'
import { formatNumber } from '../apps/web/src/lib/format.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { examine } from './examine.ts'
import { link } from './see.ts'
import { expect, asReseller as test } from './test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test("a reseller's dashboard shows what was sold, and accounts that run low on data", async ({
  page,
  say,
  language,
  reseller,
}) => {
  await reseller.account({ accountDuration: 10 })
  const low = await reseller.account({
    accountName: 'nearly_used_up',
    accountDuration: 10,
    accountDataLimit: 10,
  })
  // No agent counts bytes here.
  const counted = { ...low, accountDataUsed: 9 * gigabyte }
  await page.route(`**${getUserAccounts.path}`, (route) =>
    route.request().postDataJSON().state === 'lowData'
      ? route.fulfill({ json: wrap(getUserAccounts, { items: [counted], nextCursor: null, total: 1 }) })
      : route.fallback(),
  )
  await page.goto(paths.dashboard)
  const sales = page.getByRole('table', { name: say('overview.sold') })
  const row = sales.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(say('sales.withoutPlan'))
  await expect(row.getByRole('cell').first()).toHaveText(formatNumber(2, language))
  await expect(page.getByText(say('sales.perDay', { points: formatNumber(10, language) }))).toBeVisible()

  const count = say('low.count', { count: 1, shown: formatNumber(1, language) })
  await expect(link(page, counted.accountName)).toBeVisible()
  await examine(page, 'reseller-dashboard-sales', language)
  await link(page, count).click()
  await page.waitForURL(`${paths.accounts}?state=lowData`)
  await expect(link(page, counted.accountName)).toBeVisible()
})
