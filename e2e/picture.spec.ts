import { accountPath, paths } from '../apps/web/src/lib/paths.ts'
import { expect, test as stranger, asReseller as test } from './test.ts'
import { holdFiles } from './wire.ts'

const scripts = '**/assets/*.js'

test('a screen is seen before its scripts are there, and the client takes it over as it is', async ({
  page,
  say,
  reseller,
}) => {
  const { accountUUID, accountName } = await reseller.account()
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('request', (request) => {
    if (request.url().endsWith('/config.json')) problems.push('the config is in the page already')
  })
  const screens = [
    { path: paths.dashboard, title: say('overview.title'), ready: page.getByRole('table').first() },
    { path: paths.accounts, title: say('accounts.title'), ready: page.getByText(accountName) },
    { path: paths.statement, title: say('statement.title'), ready: page.getByRole('table') },
    { path: paths.newAccount, title: say('accounts.create'), ready: page.getByRole('textbox').first() },
    { path: accountPath(accountUUID), title: null, ready: page.getByRole('switch') },
  ]
  for (const { path, title, ready } of screens) {
    const letGo = await holdFiles(page, scripts)
    await page.goto(path, { waitUntil: 'commit' })
    const main = page.locator('main')
    if (title) await expect(main.locator('h1')).toHaveText(title)
    await expect(main).toBeVisible()
    // Nothing that is pressed would be answered yet.
    await expect(page.locator('#root')).toHaveJSProperty('inert', true)
    await main.evaluate((element) => element.setAttribute('data-drawn', 'before the scripts'))
    letGo()
    await expect(ready).toBeVisible()
    await expect(page.locator('#root')).toHaveJSProperty('inert', false)
    await expect(main, path).toHaveAttribute('data-drawn', 'before the scripts')
    await page.unroute(scripts)
  }
  expect(problems).toEqual([])
})

stranger('nobody signed in sees nothing of it', async ({ page }) => {
  const letGo = await holdFiles(page, scripts)
  await page.goto(paths.accounts, { waitUntil: 'commit' })
  await expect(page.locator('main')).toHaveCount(1)
  await expect(page.locator('main')).toBeHidden()
  letGo()
  await expect(page).toHaveURL(paths.signIn)
  await expect(page.locator('main')).toBeVisible()
})
