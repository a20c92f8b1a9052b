import { randomBytes, randomUUID } from 'node:crypto'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { button, field, notice } from '../../e2e/see.ts'
import { wordsOf } from '../../e2e/words.ts'
import { chromium as installedChromium } from '../../scripts/browser.mjs'
import { alone } from './alone.ts'
import { run, seconds, until } from './commands.ts'
import { openCustomer } from './customer.ts'
import { page as fetched } from './pages.ts'

const say = wordsOf('fa')
const url = 'http://page.example:8080/'

let browser: Browser
let page: Page
beforeAll(async () => {
  const { origin } = await alone()
  browser = await chromium.launch({
    executablePath: installedChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  page = await browser.newPage({
    baseURL: origin,
    locale: 'fa-IR',
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
  })
})
afterAll(() => browser?.close())

test('one machine is enough: the product makes itself a server', async () => {
  const { host, call } = await alone()
  const since = performance.now()
  const serverUUID = randomUUID()
  await call('servers/add', {
    serverUUID,
    serverName: 'alone',
    serverType: 'hysteria',
    serverVersion: '1.0',
    serverVPNType: 'hysteria2-direct',
    serverVPNVersion: '2.0',
    serverIPV4: host.address,
    serverURL: 'alone.example',
    serverPort: 443,
    serverMaxAccounts: 10,
    serverTunnelActive: false,
    serverTunnelType: '',
    countryId: 276,
  })
  const isReady = async () => {
    const { serverState } = await call('servers/getserver', { serverUUID })
    if (serverState !== 'ready')
      throw new Error((await call('servers/getansiblelog', { serverUUID })).ansibleLog)
  }
  await until('the server to be ready', 300, isReady, 1000)
  console.log(`the machine of the product was a server after ${seconds(since)}`)
})

/** Signs up and in, as a visitor does. */
async function enter(who: { email: string; password: string }) {
  const fill = async () => {
    await field(page, say('auth.email')).fill(who.email)
    await field(page, say('auth.password')).fill(who.password)
  }
  await page.goto(paths.signUp)
  await fill()
  await button(page, say('auth.signUp')).click()
  await page.waitForURL(paths.signIn)
  await fill()
  await button(page, say('auth.signIn')).click()
  await page.waitForURL(paths.dashboard)
}

async function buy(name: string) {
  await page.goto(paths.newAccount)
  await field(page, say('accounts.name')).fill(name)
  await field(page, say('accounts.vpnType')).selectOption('hysteria2-direct')
  await field(page, say('accounts.duration')).fill('۳۰')
  await button(page, say('accounts.create')).click()
  await page.getByRole('link', { name }).click()
  await expect(page.getByText(say('accounts.applied.applied'), { exact: true })).toBeVisible()
}

/** What a phone's camera reads from the screen, by a program that knows nothing of ours. */
async function scan(name: string): Promise<string> {
  await button(page, say('accounts.qr.enlarge')).click()
  const code = page.getByRole('dialog').getByRole('img', { name: say('accounts.qr.alt', { name }) })
  await code.screenshot({ path: '/mnt/scanned.png' })
  await page.keyboard.press('Escape')
  return run('zbarimg', '--raw', '--quiet', '/mnt/scanned.png').trim()
}

test('a day of a reseller: signed up, given credit, sold, scanned, connected, renewed, disabled', async () => {
  const { host, call } = await alone()
  const who = {
    email: 'reza@example.com',
    password: `Aa1-${randomBytes(9).toString('base64url')}`,
  }
  await enter(who)
  await call('admin/adjustusercredit', { userEmail: who.email, amount: 1_000, reason: 'paid in cash' })
  const name = 'sara_phone'
  await buy(name)

  const link = new URL(await scan(name))
  const chain = await host.say('cat /etc/kelid/certificate/chain.pem')
  const customer = await openCustomer({
    type: 'hysteria2',
    server: link.hostname,
    port: Number(link.port),
    name: link.searchParams.get('sni') ?? '',
    secret: link.username,
    authority: chain.slice(chain.lastIndexOf('-----BEGIN')),
  })
  expect((await customer.fetch(url)).stdout).toBe(fetched)

  await button(page, say('accounts.renew.action')).click()
  await field(page, say('accounts.renew.days')).fill('۱۰')
  const dialog = page.getByRole('dialog')
  await button(dialog, say('accounts.renew.confirm')).click()
  await expect(dialog).toHaveCount(0)

  const download = customer.download(`${url}download`)
  await until('the download to begin', 10, () => {
    if (download.bytes() < 100_000) throw new Error(`${download.bytes()} bytes`)
  })
  await page.getByRole('switch', { name: say('accounts.statusSwitch') }).uncheck()
  await expect(notice(page, say('accounts.nowDisabled', { name }))).toBeVisible()
  await expect(page.getByText(say('accounts.applied.applied'), { exact: true })).toBeVisible()
  let seen = -1
  const standsStill = () => {
    const before = seen
    seen = download.bytes()
    if (seen !== before) throw new Error(`${seen - before} bytes more`)
  }
  await until('the download to stand still', 2, standsStill, 300)
  download.end()
  const again = await customer.fetch(url, '--max-time', '3')
  expect(again.stdout).not.toBe(fetched)
  customer.close()
})
