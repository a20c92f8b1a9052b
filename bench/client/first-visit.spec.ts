import { expect, test } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { theHouse } from '../../e2e/product/house.ts'
import { everyScreen } from './every-screen.ts'
import { besidePeers, limits } from './limits.ts'
import { measureScreen } from './measure-screen.ts'
import type { Screen } from './screens.ts'

/** Answers hold random numbers and pack a few bytes better or worse from run to run. */
const variationBytes = 256

let screens: Screen[]
test.beforeAll(async () => {
  screens = await everyScreen()
})

test('no first visit fetches more than its budget, nor more than twelve files before it is usable', async ({
  browser,
}) => {
  for (const screen of screens) {
    const url = theHouse().url + screen.path
    const visit = await measureScreen(browser, url, screen, { ...screen.visitor, isSlow: false })
    const what = `${screen.name}: ${visit.fetched.map(({ url: from, bytes }) => `${new URL(from).pathname} ${bytes}`).join(', ')}`
    console.log(
      `${screen.name}: ${(visit.bytes / 1_024).toFixed(1)} KB of ${screen.budgetKB}, ${visit.filesBefore} files before it is usable`,
    )
    expect.soft(visit.bytes, what).toBeLessThanOrEqual(screen.budgetKB * 1_024 + variationBytes)
    if (screen.path === paths.signIn)
      expect.soft(visit.bytes, what).toBeLessThanOrEqual(besidePeers.bytes.ratio * besidePeers.bytes.peer)
    expect.soft(visit.filesBefore, what).toBeLessThanOrEqual(limits.filesBeforeUsable)
  }
})
