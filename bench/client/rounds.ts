import type { Browser } from '@playwright/test'
import { testedProduct } from '../../e2e/product/tested-product.ts'
import { measureScreen, type Visit } from './measure-screen.ts'
import { reactAlone } from './react-alone.ts'
import type { Screen } from './screens.ts'
import { type StaticFile, startFloor, textOnly } from './static-floor.ts'

export interface Figures extends Pick<Visit, 'bytes' | 'lcpMs' | 'usableMs' | 'blockingMs'> {
  readonly screen: Screen
  readonly files: number
  readonly calls: number
  /** Largest paint of the static page, with the landing's text if the screen is not prerendered. */
  readonly floorMs: number
  /** The same text painted by React, if the screen has a limit relative to it. */
  readonly reactMs: number | null
}

const pageOf = async (path: string, { visitor }: Screen): Promise<string> => {
  const headers = { 'accept-language': visitor.locale ?? 'en' }
  return (await fetch(testedProduct().url + path, { headers })).text()
}

const best = (values: readonly number[]): number => Math.min(...values)

/** Screens and their static pages alternate, so that a busy moment affects both. A busy machine only adds time: the best counts. */
export async function measureRounds(
  browser: Browser,
  screens: readonly Screen[],
  roundsOf: (screen: Screen) => number,
): Promise<Figures[]> {
  const floorPath = ({ name }: Screen) => `/${encodeURIComponent(name)}`
  const reactPath = (screen: Screen) => `${floorPath(screen)}/react`
  const files = new Map<string, StaticFile>()
  for (const screen of screens) {
    const html = await pageOf(screen.isPrerendered ? screen.path : '/', screen)
    const text = textOnly(html, screen)
    files.set(floorPath(screen), { type: 'text/html; charset=utf-8', text })
    if (screen.besideReact)
      for (const [path, file] of await reactAlone(reactPath(screen), text)) files.set(path, file)
  }
  const floor = await startFloor(files)
  const visits = new Map<Screen, { own: Visit[]; floor: number[]; react: number[] }>(
    screens.map((screen) => [screen, { own: [], floor: [], react: [] }]),
  )
  try {
    const most = Math.max(...screens.map(roundsOf))
    for (let round = 0; round < most; round++)
      for (const [screen, seen] of visits) {
        if (round >= roundsOf(screen)) continue
        const paint = async (path: string, selector: string) => {
          const still = { selector, needsClient: false }
          return (await measureScreen(browser, floor.url + path, still, screen.visitor)).lcpMs
        }
        seen.floor.push(await paint(floorPath(screen), 'body'))
        if (screen.besideReact) seen.react.push(await paint(reactPath(screen), 'main p'))
        seen.own.push(await measureScreen(browser, testedProduct().url + screen.path, screen, screen.visitor))
      }
  } finally {
    await floor.stop()
  }
  return [...visits].map(([screen, { own, floor: floors, react }]) => {
    const all = (figure: keyof Omit<Visit, 'fetched'>) => own.map((visit) => visit[figure])
    return {
      screen,
      bytes: Math.max(...all('bytes')),
      files: Math.max(...all('filesBefore')),
      calls: Math.max(...all('callsBefore')),
      lcpMs: best(all('lcpMs')),
      usableMs: best(all('usableMs')),
      blockingMs: best(all('blockingMs')),
      floorMs: best(floors),
      reactMs: react.length > 0 ? best(react) : null,
    }
  })
}
