import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { adminPaths } from '../../apps/web/src/admin/paths.ts'
import { button, field } from '../../e2e/see.ts'
import { openBrowser, say, signIn, watched } from './browser.ts'
import { seconds, until } from './commands.ts'
import { installation } from './installation.ts'
import { administrator, closeProduct, origin } from './product.ts'

let page: Page
let close: () => Promise<void>
beforeAll(async () => {
  await installation()
  ;({ page, close } = await openBrowser(origin))
})
afterAll(async () => {
  await close?.()
  await closeProduct()
})

async function addServer(address: string) {
  await signIn(page, administrator)
  await page.goto(adminPaths.addServer)
  await field(page, say('hosts.name')).fill('api-direct')
  await field(page, say('servers.type')).selectOption('hysteria')
  await field(page, say('servers.version')).fill('1.0')
  await field(page, say('servers.vpnVersion')).fill('2.0')
  await field(page, say('hosts.ipv4')).fill(address)
  await field(page, say('hosts.url')).fill('api-direct.example')
  await field(page, say('hosts.port')).fill('۴۴۳')
  await field(page, say('hosts.maxAccounts')).fill('۱۰')
  await button(page, say('hosts.create')).click()
}

/** How high the log has been, each time that it was higher than before, until its last line is there. */
async function watchLog(): Promise<number[]> {
  await button(page, say('hosts.log.get')).click()
  const log = page.locator('[role=region][dir=ltr]')
  await log.waitFor()
  const heights = [0]
  await until('the end of the log', 480, async () => {
    const height = await log.evaluate((element) => element.scrollHeight)
    if (height > (heights.at(-1) ?? 0)) heights.push(height)
    if (!(await log.innerText()).includes('PLAY RECAP')) throw new Error(await log.innerText())
  })
  return heights
}

test('an administrator adds a server, watches its log grow, and sees it become ready', async () => {
  const { direct } = await installation()
  const since = performance.now()
  await watched(page, async () => {
    await addServer(direct.address)
    const heights = await watchLog()
    expect(heights.length).toBeGreaterThan(5)
    await page.getByRole('link', { name: say('servers.toList') }).click()
    await page.getByRole('link', { name: 'api-direct' }).click()
    await expect(page.getByText(say('hosts.states.ready'), { exact: true }).first()).toBeVisible({
      timeout: 30_000,
    })
    console.log(`ready in ${seconds(since)}; the log was seen to grow ${heights.length - 1} times`)
  })
  expect(await direct.say('ss -Hlun sport = :443')).not.toBe('')
})
