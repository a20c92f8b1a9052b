import { getServers, getTunnels } from '@kelid/contract'
import { expect, test } from '@playwright/test'
import { asAdmin, newAdministrator, newReseller } from '../../e2e/people.ts'
import { theHouse } from '../../e2e/product/house.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { limits } from './limits.ts'
import { measureScreen } from './measure-screen.ts'
import { screensIn } from './screens.ts'

test('no screen of the administration fetches more than its budget at a first visit, nor more than twelve files before it is usable', async ({
  browser,
}) => {
  const { token } = await newAdministrator()
  const reseller = await newReseller()
  const { accountUUID } = await reseller.account()
  const { items: servers } = await asAdmin()(getServers, { limit: 1 })
  const { items: tunnels } = await asAdmin()(getTunnels, { limit: 1 })
  const subjects = {
    accountUUID,
    userEmail: reseller.email,
    serverUUID: servers[0]?.serverUUID ?? '',
    tunnelUUID: tunnels[0]?.tunnelUUID ?? '',
  }
  // Persian is the larger language on every screen, by its letters and by its font.
  const visitor = { storageState: stored(sessionItems('fa', token, 6)) }
  const screens = screensIn('admin', 'fa', visitor, subjects)
  for (const screen of screens) {
    const url = theHouse().url + screen.path
    const visit = await measureScreen(browser, url, screen, { ...screen.visitor, isSlow: false })
    const what = `${screen.name}: ${visit.fetched.map(({ url: from, bytes }) => `${new URL(from).pathname} ${bytes}`).join(', ')}`
    console.log(
      `${screen.name}: ${(visit.bytes / 1_024).toFixed(1)} KB, ${visit.filesBefore} files before it is usable`,
    )
    expect.soft(visit.bytes, what).toBeLessThanOrEqual(screen.budgetKB * 1_024)
    expect.soft(visit.filesBefore, what).toBeLessThanOrEqual(limits.filesBeforeUsable)
  }
})
