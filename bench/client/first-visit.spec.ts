import { expect, test } from '@playwright/test'
import { theHouse } from '../../e2e/product/house.ts'
import { limits } from './limits.ts'
import { measureScreen } from './measure-screen.ts'
import { resellerWith } from './people.ts'
import { resellerScreens, type Screen, subscriptionScreen, visitorScreens } from './screens.ts'

const rows = 1_000
/** Answers hold random numbers and pack a few bytes better or worse from run to run. */
const variationBytes = 256

let screens: Screen[]
test.beforeAll(async () => {
  const { reseller, account } = await resellerWith(rows)
  screens = (['en', 'fa'] as const).flatMap((language) => [
    ...visitorScreens(language),
    ...resellerScreens(language, reseller.token, account),
    subscriptionScreen(language, account),
  ])
})

test('no first visit fetches more than its budget, nor more than twelve files before it is usable', async ({
  browser,
}) => {
  for (const screen of screens) {
    const url = theHouse().url + screen.path
    const visit = await measureScreen(browser, url, screen, { ...screen.visitor, isSlow: false })
    const what = `${screen.name}: ${visit.fetched.map(({ url: from, bytes }) => `${new URL(from).pathname} ${bytes}`).join(', ')}`
    expect.soft(visit.bytes, what).toBeLessThanOrEqual(screen.budgetKB * 1_024 + variationBytes)
    expect.soft(visit.filesBefore, what).toBeLessThanOrEqual(limits.filesBeforeUsable)
  }
})
