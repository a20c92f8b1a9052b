import { routes } from '../apps/web/src/app/routes.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { fillPath } from './screens.ts'
import { expect, test as stranger, asReseller as test } from './test.ts'
import { holdFiles } from './wire.ts'

const scripts = '**/assets/*.js'
const isShared = (path: string) => routes.filter((route) => route.path === path).length > 1
const behindTheSignIn = routes.filter(({ path, access }) => access === 'user' && !isShared(path))

test('every screen of a reseller shows its title before its scripts', async ({ page, say, reseller }) => {
  const { accountUUID } = await reseller.account()
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('request', (request) => {
    if (/config\.json$|\/words-/.test(request.url())) problems.push(`${request.url()} is in the page already`)
  })
  for (const { path, title } of behindTheSignIn) {
    const letGo = await holdFiles(page, scripts)
    await page.goto(fillPath(path, { accountUUID }), { waitUntil: 'commit' })
    const main = page.locator('main')
    await expect(main.locator('h1'), path).toHaveText(say(title as 'accounts.title'))
    await expect(main.locator('[role=status]')).toBeVisible()
    await expect(main.locator('[role=status] [aria-hidden] span').first()).toBeVisible()
    // Nothing would respond yet.
    await expect(page.locator('#root')).toHaveJSProperty('inert', true)
    letGo()
    await expect(main.locator('h1:not([data-waiting])')).toBeVisible()
    await expect(page.locator('#root')).toHaveJSProperty('inert', false)
    await expect(page.locator('main [role=status][aria-label]')).toHaveCount(0)
    await page.unroute(scripts)
  }
  expect(problems).toEqual([])
})

stranger('a visitor sees none of these screens', async ({ page }) => {
  for (const { path } of behindTheSignIn) {
    const letGo = await holdFiles(page, scripts)
    await page.goto(fillPath(path, { accountUUID: 'a' }), { waitUntil: 'commit' })
    await expect(page.locator('main')).toHaveCount(1)
    await expect(page.locator('main')).toBeHidden()
    letGo()
    await expect(page).toHaveURL(paths.signIn)
    await expect(page.locator('main')).toBeVisible()
    await page.unroute(scripts)
  }
})
