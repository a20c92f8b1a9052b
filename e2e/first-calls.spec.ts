import type { Request } from '@playwright/test'
import { accountPath, paths } from '../apps/web/src/screens/paths.ts'
import { expect, asReseller as test } from './test.ts'

const isCall = (request: Request) => new URL(request.url()).pathname.startsWith('/api/v1/')
const describe = (request: Request) =>
  `${new URL(request.url()).pathname} ${request.postData()} ${request.headers().authorization}`

const screens = [
  { name: 'dashboard', path: () => paths.dashboard, atLeast: 3 },
  { name: 'accounts', path: () => paths.accounts, atLeast: 3 },
  { name: 'account', path: (uuid: string) => accountPath(uuid), atLeast: 1 },
  { name: 'statement', path: () => paths.statement, atLeast: 1 },
]

for (const { name, path, atLeast } of screens)
  test(`${name}: the page asks before its scripts are there, and the scripts do not ask again`, async ({
    page,
    reseller,
  }) => {
    const { accountUUID, accountName } = await reseller.account()
    const made: string[] = []
    page.on('request', (request) => {
      if (isCall(request) && request.method() === 'POST') made.push(describe(request))
    })
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await gate
      await route.continue()
    })
    await page.goto(path(accountUUID), { waitUntil: 'commit' })
    await expect.poll(() => made.length, 'calls without a script').toBe(atLeast)
    letGo()
    await expect(page.getByText(accountName).first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect(made.toSorted()).toEqual([...new Set(made)].toSorted())
  })
