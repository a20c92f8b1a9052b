import { addServer } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { authorityAt, readLink } from './accounts.ts'
import { alone } from './alone.ts'
import { openBrowser } from './browser.ts'
import { seconds } from './commands.ts'
import { openCustomer } from './customer.ts'
import { spendDay } from './day.ts'
import { hysteria } from './installation.ts'

/** Everybody here has a phone, administrators too. */
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }

let page: Page
let close: () => Promise<void>
beforeAll(async () => {
  const { origin } = await alone()
  ;({ page, close } = await openBrowser(origin, phone))
})
afterAll(() => close?.())

test('the product provisions its own machine as a server', async () => {
  const { host, call, ready } = await alone()
  const since = performance.now()
  const body = hysteria('alone', host)
  await call(addServer, body)
  await ready(body.serverUUID)
  console.log(`the machine of the product was a server after ${seconds(since)}`)
})

test('a reseller on a phone signs up, gets credit and sells an account; the customer connects, is renewed and cut off', async () => {
  const { host, origin } = await alone()
  const authority = await authorityAt(host)
  await spendDay(page, {
    reseller: { email: 'sara@example.com', password: 'Aa1-on-one-machine' },
    name: 'sara_phone',
    openAdmin: () => openBrowser(origin, phone),
    openApp: (link) => openCustomer({ ...readLink(link), authority }),
    cutWithin: 4,
  })
})
