import { readFile } from 'node:fs/promises'
import { extendDuration, getStatement } from '@kelid/contract'
import { formatNumber, formatSigned } from '../apps/web/src/lib/format.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { tunnelledAccount } from './people.ts'
import { button } from './see.ts'
import { expect, asReseller as test } from './test.ts'

test('transactions are listed with reasons and saved as CSV', async ({ page, say, language, reseller }) => {
  const { accountUUID, accountName } = await reseller.account(tunnelledAccount)
  await reseller.call(extendDuration, { accountUUID, accountDuration: 5 })
  const { items } = await reseller.call(getStatement, {})
  await page.goto(paths.statement)
  const table = page.getByRole('table', { name: say('statement.title') })
  const rows = table.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows).toHaveCount(items.length)
  const count = { count: items.length, shown: formatNumber(items.length, language) }
  await expect(page.getByText(say('statement.count', count), { exact: true })).toBeVisible()
  await expect(table).toContainText(say('statement.movements.create'))
  await expect(table).toContainText(say('statement.movements.renew'))
  await expect(table).toContainText(accountName)
  await expect(table).toContainText('paid in crypto')
  await expect(table).toContainText(formatSigned(-50, 'points', language))

  const file = page.waitForEvent('download')
  await button(page, say('statement.download')).click()
  const download = await file
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv.trim().split('\n')).toHaveLength(items.length + 1)
  expect(csv).toContain(accountName)
})
