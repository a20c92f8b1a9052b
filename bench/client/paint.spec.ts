import { expect, test } from '@playwright/test'
import { everyScreen } from './every-screen.ts'
import { besidePeers, isBench, slack } from './limits.ts'
import { measureRounds } from './rounds.ts'
import type { Screen } from './screens.ts'
import { tableOf } from './table.ts'

/** Where other programs run too, those whose paint was given a figure, each in one language. */
const few = ['landing fa', 'sign-in en', 'accounts fa']
/** The tightest figure is that of the prerendered screens, whose visits are short: they are looked at more often. */
const roundsOf = ({ isPrerendered }: Screen) => (!isBench ? 2 : isPrerendered ? 8 : 3)

let screens: Screen[]
test.beforeAll(async () => {
  screens = (await everyScreen()).filter(({ name }) => isBench || few.includes(name))
})

test('on a slow phone and a slow network the first paint and the first use come in time', async ({
  browser,
}) => {
  const figures = await measureRounds(browser, screens, roundsOf)
  console.log(`\n${tableOf(figures)}\n`)
  for (const { screen, lcpMs, floorMs, reactMs, usableMs, blockingMs } of figures) {
    const { name, isPrerendered, paintRatio, besideReact, blockingMs: mostBlocked } = screen
    const most = (limit: number) => limit * slack
    // The list is far below its figure; what a busy machine adds does not matter.
    if (paintRatio)
      expect
        .soft(lcpMs / floorMs, `${name}: paint`)
        .toBeLessThanOrEqual(isPrerendered ? most(paintRatio) : paintRatio)
    if (besideReact && reactMs)
      expect.soft(usableMs / reactMs, `${name}: beside React alone`).toBeLessThanOrEqual(most(besideReact))
    if (mostBlocked) expect.soft(blockingMs, `${name}: blocked`).toBeLessThanOrEqual(most(mostBlocked))
    if (!name.startsWith('sign-in')) continue
    expect
      .soft(lcpMs, `${name}: beside the best peer`)
      .toBeLessThanOrEqual(most(besidePeers.lcp.ratio * besidePeers.lcp.peer))
    expect
      .soft(usableMs, `${name}: beside the best peer`)
      .toBeLessThanOrEqual(most(besidePeers.usable.ratio * besidePeers.usable.peer))
  }
})
