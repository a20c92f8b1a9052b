import { expect, test } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { everyScreen } from './every-screen.ts'
import { besidePeers, isBench, slack } from './limits.ts'
import { type Figures, measureRounds } from './rounds.ts'
import type { Screen } from './screens.ts'
import { printTable } from './table.ts'

/** Part of `npm test`: the screens with a limit of their own, each in one language. */
const testedScreens = ['visitor/home fa', 'visitor/sign-in en', 'reseller/accounts fa']
/** Prerendered screens have the tightest limit and short visits, so they get more rounds. */
const roundsOf = ({ isPrerendered }: Screen) => (!isBench ? 2 : isPrerendered ? 8 : 3)
const mostLooks = 3

let screens: Screen[]
test.beforeAll(async () => {
  screens = (await everyScreen()).filter(({ name }) => isBench || testedScreens.includes(name))
})

type Claim = [what: string, value: number, atMost: number | undefined | false]

function claimsOf({ screen, lcpMs, floorMs, reactMs, usableMs, blockingMs }: Figures): Claim[] {
  const { path, isPrerendered, paintRatio, besideReact, blockingMs: mostBlocked } = screen
  const isSignIn = path === paths.signIn
  const { lcp, usable } = besidePeers
  return [
    // The list is far below its limit and needs no slack.
    ['paint', lcpMs / floorMs, paintRatio && paintRatio * (isPrerendered ? slack : 1)],
    ['beside React alone', usableMs / (reactMs ?? Number.NaN), besideReact && besideReact * slack],
    ['blocked', blockingMs, mostBlocked && mostBlocked * slack],
    ['paint beside the best peer', lcpMs, isSignIn && lcp.ratio * lcp.peer * slack],
    ['usable beside the best peer', usableMs, isSignIn && usable.ratio * usable.peer * slack],
  ]
}

/** NaN is broken too: the value was not measured. */
const brokenClaims = (figures: Figures): string[] =>
  claimsOf(figures)
    .filter(([, value, atMost]) => atMost && !(value <= atMost))
    .map(([what, value, atMost]) => `${figures.screen.name}: ${what} ${value.toFixed(2)}, at most ${atMost}`)

test('a slow phone on a slow network paints and becomes usable within the limits', async ({ browser }) => {
  if (!isBench) expect(screens.map(({ name }) => name).toSorted()).toEqual(testedScreens.toSorted())
  let suspects = screens
  let broken: string[] = []
  // A slow page is slow every time; a busy machine is not.
  for (let look = 1; look <= mostLooks && suspects.length > 0; look++) {
    const figures = await measureRounds(browser, suspects, roundsOf)
    printTable(figures)
    broken = figures.flatMap(brokenClaims)
    suspects = figures.filter((one) => brokenClaims(one).length > 0).map(({ screen }) => screen)
  }
  expect(broken).toEqual([])
})
