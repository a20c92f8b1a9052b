import type { Request } from '@playwright/test'
import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { expect, asReseller as test } from './test.ts'
import { holdFiles } from './wire.ts'

const isCall = (request: Request) => new URL(request.url()).pathname.startsWith('/api/v1/')
const describe = (request: Request) =>
  `${new URL(request.url()).pathname} ${request.postData()} ${request.headers().authorization}`

test('a page sends its calls before its scripts arrive, and only once', async ({ page, reseller }) => {
  const { accountUUID, accountName } = await reseller.account()
  let made: string[] = []
  page.on('request', (request) => {
    if (isCall(request) && request.method() === 'POST') made.push(describe(request))
  })
  const screens: [string, number][] = [
    [paths.dashboard, 3],
    [paths.accounts, 3],
    [accountPath(accountUUID), 1],
    [paths.statement, 1],
  ]
  for (const [path, calls] of screens) {
    const letGo = await holdFiles(page, '**/assets/*.js')
    made = []
    await page.goto(path, { waitUntil: 'commit' })
    await expect.poll(() => made.length, `${path}: calls without a script`).toBe(calls)
    letGo()
    await expect(page.getByText(accountName).first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect(made.toSorted(), path).toEqual([...new Set(made)].toSorted())
    await page.unroute('**/assets/*.js')
  }
})
