import { expect, test } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { adminValues } from '../../e2e/hosts.ts'
import { newAdministrator, newReseller } from '../../e2e/people.ts'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { everyScreen } from './every-screen.ts'
import { besidePeers, limits } from './limits.ts'
import { measureScreen } from './measure-screen.ts'
import { type Screen, screensIn } from './screens.ts'

/** Answers contain random values, whose compressed size varies. */
const variationBytes = 256

/** Only Persian, which is the larger language on every screen. */
async function adminScreens(): Promise<Screen[]> {
  const { token } = await newAdministrator()
  const reseller = await newReseller()
  const account = await reseller.account()
  const values = await adminValues({ ...reseller, accounts: [account], disabled: account })
  return screensIn('admin', 'fa', { storageState: stored(sessionItems('fa', token, 6)) }, values)
}

const areas: [string, () => Promise<Screen[]>, number][] = [
  ['visitors and resellers', everyScreen, variationBytes],
  ['administrators', adminScreens, 0],
]
for (const [area, screensOf, variation] of areas)
  test(`a first visit of ${area} stays within its budget of bytes and of twelve files`, async ({
    browser,
  }) => {
    for (const screen of await screensOf()) {
      const url = testedProduct().url + screen.path
      const visit = await measureScreen(browser, url, screen, { ...screen.visitor, isSlow: false })
      const files = visit.fetched.map(({ url: from, bytes }) => `${new URL(from).pathname} ${bytes}`)
      const what = `${screen.name}: ${files.join(', ')}`
      const { budgetKB } = screen
      console.log(
        `${screen.name}: ${(visit.bytes / 1_024).toFixed(1)} KB of ${budgetKB}, ${visit.filesBefore} files before it is usable`,
      )
      expect.soft(visit.bytes, what).toBeLessThanOrEqual(budgetKB * 1_024 + variation)
      if (screen.path === paths.signIn)
        expect.soft(visit.bytes, what).toBeLessThanOrEqual(besidePeers.bytes.ratio * besidePeers.bytes.peer)
      expect.soft(visit.filesBefore, what).toBeLessThanOrEqual(limits.filesBeforeUsable)
    }
  })
