import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { authorityAt, comesIn, cutAfter, downloading, readLink } from './accounts.ts'
import { alone } from './alone.ts'
import { openBrowser, watched } from './browser.ts'
import { seconds, until } from './commands.ts'
import { openCustomer } from './customer.ts'
import { create, disable, giveCredit, isToldDisabled, renew, scan, signUp } from './day.ts'
import { administrator } from './product.ts'

/** Everybody here has a phone, administrators too. */
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }

let page: Page
let close: () => Promise<void>
beforeAll(async () => {
  const { origin } = await alone()
  ;({ page, close } = await openBrowser(origin, phone))
})
afterAll(() => close?.())

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

test('a reseller on a phone signs up, is given credit, sells, shows the QR code; its customer connects, is renewed and put out', async () => {
  const { host, origin } = await alone()
  const reseller = { email: 'sara@example.com', password: 'Aa1-on-one-machine' }
  const name = 'sara_phone'
  await watched(page, async () => {
    await signUp(page, reseller)
    const { page: theirs, close } = await openBrowser(origin, phone)
    await watched(theirs, () => giveCredit(theirs, administrator, reseller.email, ['points'])).finally(close)
    await create(page, name)
    const way = readLink(await scan(page, name))
    const app = await openCustomer({ ...way, authority: await authorityAt(host) })
    await until('the customer to come in', 10, async () => {
      if (!(await comesIn(app))) throw new Error(app.log())
    })
    await renew(page)
    const download = await downloading(app)
    const since = performance.now()
    await disable(page)
    const cut = await cutAfter(download, since, 4)
    console.log(`cut ${cut} ms after the switch was pressed`)
    await isToldDisabled(page, name)
    expect(await comesIn(app)).toBe(false)
    app.close()
  })
})
