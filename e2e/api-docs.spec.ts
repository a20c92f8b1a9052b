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
  const call = page.locator('.opblock').filter({ hasText: newAccount.path })
  await call.getByRole('button', { name: newAccount.path }).first().click()
  await expect(call.getByText('accountVPNType').first()).toBeVisible()
  expect(problems).toEqual([])
})
