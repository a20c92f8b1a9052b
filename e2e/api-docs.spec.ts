import { newAccount } from '@kelid/contract'
import { expect, test } from './test.ts'

test('the API documents show a call with its fields and need no other host', async ({ page, baseURL }) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && origin !== new URL(baseURL ?? '').origin) problems.push(request.url())
  })
  await page.goto('/api/docs')
  await page.getByRole('link', { name: 'accounts', exact: true }).click()
  const path = page.locator(`[data-path="${newAccount.path}"]`)
  await path.click()
  await expect(page.locator('.opblock', { has: path }).getByText('accountVPNType').first()).toBeVisible()
  expect(problems).toEqual([])
})
