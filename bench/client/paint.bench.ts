import { expect, test } from '@playwright/test'
import { everyScreen } from './every-screen.ts'
import { besidePeers } from './limits.ts'
import { measureRounds } from './rounds.ts'
import type { Screen } from './screens.ts'
import { tableOf } from './table.ts'

let screens: Screen[]
test.beforeAll(async () => {
  screens = await everyScreen()
})

test('on a slow phone and a slow network the first paint and the first use come in time', async ({
  browser,
}) => {
  const figures = await measureRounds(browser, screens, 5)
  console.log(`\n${tableOf(figures)}\n`)
  for (const { screen, bytes, lcpMs, floorMs, reactMs, usableMs, blockingMs } of figures) {
    const { name, paintRatio, besideReact, blockingMs: mostBlocked } = screen
    if (paintRatio) expect.soft(lcpMs / floorMs, `${name}: paint`).toBeLessThanOrEqual(paintRatio)
    if (besideReact && reactMs)
      expect.soft(usableMs / reactMs, `${name}: beside React alone`).toBeLessThanOrEqual(besideReact)
    if (mostBlocked) expect.soft(blockingMs, `${name}: blocked`).toBeLessThanOrEqual(mostBlocked)
    if (!name.startsWith('sign-in')) continue
    const beside = { bytes, lcp: lcpMs, usable: usableMs }
    for (const figure of ['bytes', 'lcp', 'usable'] as const) {
      const { peer, ratio } = besidePeers[figure]
      expect.soft(beside[figure] / peer, `${name}: ${figure} beside the best peer`).toBeLessThanOrEqual(ratio)
    }
  }
})
