import { calls } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { routes } from '../apps/web/src/app/routes.ts'
import { paths } from '../apps/web/src/lib/paths.ts'
import { fillPath, somePhone } from './screens.ts'
import { waitForScreen } from './see.ts'
import { asReseller, expect, test } from './test.ts'

const isOf = (area: string) => new RegExp(`/assets/(?:words-[^/]+/)?${area}\\b`)

/** Collects the names of fetched files. */
function watchAssets(page: Page): string[] {
  const names: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/assets/')) names.push(pathname)
  })
  return names
}

/** The namespaces whose words are in the page. */
const namespacesIn = (page: Page) => page.locator('#words').getAttribute('data-namespaces')

test('a visitor fetches nothing of a reseller or an administrator', async ({ page, say }) => {
  const names = watchAssets(page)
  for (const { path, title } of routes.filter(({ area }) => area === 'visitor')) {
    await page.goto(fillPath(path, { phone: somePhone }))
    await expect(page.locator('main h1:not([data-waiting])')).toHaveText(say(title as 'home.title'))
    await page.waitForLoadState('networkidle')
    expect(await namespacesIn(page), path).not.toMatch(/reseller|admin/)
  }
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => isOf('(?:reseller|admin)').test(name))).toEqual([])
})

asReseller(
  'a reseller fetches nothing of an administrator',
  async ({ page, reseller, browser, storageState, baseURL }) => {
    const { accountUUID } = await reseller.account()
    const names = watchAssets(page)
    for (const { path } of routes.filter(({ area }) => area === 'reseller')) {
      await page.goto(fillPath(path, { accountUUID }))
      await waitForScreen(page)
      expect(await namespacesIn(page), path).not.toContain('admin')
    }
    expect(names.some((name) => isOf('reseller').test(name))).toBe(true)
    expect(names.filter((name) => isOf('admin').test(name))).toEqual([])
    const adminCalls = calls.filter(({ access }) => access === 'admin').map(({ path: address }) => address)
    for (const name of new Set(names)) {
      const text = await (await page.request.get(name)).text()
      expect(
        adminCalls.filter((address) => text.includes(address)),
        `calls of administrators in ${name}`,
      ).toEqual([])
    }

    const context = await browser.newContext({
      serviceWorkers: 'allow',
      ...(storageState && { storageState }),
      ...(baseURL && { baseURL }),
    })
    const keeping = await context.newPage()
    await keeping.goto(paths.accounts)
    const cachedPaths = () =>
      keeping.evaluate(async () => {
        await navigator.serviceWorker.ready
        const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
        const requests = await Promise.all(caches_.map((cache) => cache.keys()))
        return requests.flat().map(({ url }) => new URL(url).pathname)
      })
    await expect
      .poll(async () => (await cachedPaths()).filter((name) => isOf('reseller').test(name)).length)
      .toBeGreaterThan(5)
    expect(
      (await cachedPaths()).filter((name) => isOf('(?:visitor|admin|home-screen|sign-)').test(name)),
    ).toEqual([])
    await context.close()
  },
)
