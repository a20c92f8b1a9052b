import type { Browser } from '@playwright/test'
import { theHouse } from '../../e2e/product/house.ts'
import { median } from '../server/statistics.ts'
import { measureScreen, type Visit } from './measure-screen.ts'
import type { Screen } from './screens.ts'
import { startFloor, textOnly } from './static-floor.ts'

export interface Figures {
  readonly screen: Screen
  readonly bytes: number
  readonly files: number
  readonly calls: number
  readonly lcpMs: number
  readonly usableMs: number
  readonly blockingMs: number
  /** The static page of the same text, visited right before; the landing's where the screen is not prerendered. */
  readonly floorMs: number
}

const pageOf = async (path: string, { visitor }: Screen): Promise<string> => {
  const headers = { 'accept-language': visitor.locale ?? 'en' }
  return (await fetch(theHouse().url + path, { headers })).text()
}

/** Medians over rounds in which every screen and its floor take turns, so that a busy moment meets both. */
export async function measureRounds(
  browser: Browser,
  screens: readonly Screen[],
  rounds: number,
): Promise<Figures[]> {
  const floorPath = ({ name }: Screen) => `/${encodeURIComponent(name)}`
  const pages = new Map<string, string>()
  for (const screen of screens) {
    const html = await pageOf(screen.isPrerendered ? screen.path : '/', screen)
    pages.set(floorPath(screen), textOnly(html, screen))
  }
  const floor = await startFloor(pages)
  const visits = new Map<Screen, { own: Visit[]; floor: number[] }>(
    screens.map((screen) => [screen, { own: [], floor: [] }]),
  )
  try {
    for (let round = 0; round < rounds; round++)
      for (const [screen, seen] of visits) {
        const still = { selector: 'body', needsClient: false }
        const { lcpMs } = await measureScreen(browser, floor.url + floorPath(screen), still, screen.visitor)
        seen.floor.push(lcpMs)
        seen.own.push(await measureScreen(browser, theHouse().url + screen.path, screen, screen.visitor))
      }
  } finally {
    await floor.stop()
  }
  return [...visits].map(([screen, { own, floor: floors }]) => {
    const of = (figure: (visit: Visit) => number) => median(own.map(figure))
    return {
      screen,
      bytes: Math.max(...own.map(({ bytes }) => bytes)),
      files: Math.max(...own.map(({ filesBefore }) => filesBefore)),
      calls: Math.max(...own.map(({ callsBefore }) => callsBefore)),
      lcpMs: of(({ lcpMs }) => lcpMs),
      usableMs: of(({ usableMs }) => usableMs),
      blockingMs: of(({ blockingMs }) => blockingMs),
      floorMs: median(floors),
    }
  })
}
