import { paths } from '../../apps/web/src/lib/paths.ts'
import { besidePeers, peers } from './limits.ts'
import type { Figures } from './rounds.ts'

const kilobytes = (bytes: number) => (bytes / 1_024).toFixed(1)
const whole = (value: number) => Math.round(value).toString()
const share = (value: number, of: number) => `${(value / of).toFixed(2)} x`

/** Prints every screen, the peers' sign-in screens, and the ratios to them. */
export function printTable(figures: readonly Figures[]): void {
  const rows = figures.map(({ screen, bytes, files, calls, lcpMs, floorMs, usableMs, blockingMs }) => ({
    screen: screen.name,
    KB: kilobytes(bytes),
    budget: screen.budgetKB,
    files,
    calls,
    'LCP ms': whole(lcpMs),
    static: whole(floorMs),
    ratio: share(lcpMs, floorMs),
    'usable ms': whole(usableMs),
    'blocked ms': whole(blockingMs),
  }))
  const others = peers.map(({ name, KB, lcpMs, usableMs }) => ({
    ...{ screen: `${name} (measured before)`, KB, 'LCP ms': whole(lcpMs), 'usable ms': whole(usableMs) },
  }))
  console.table([...rows, ...others])
  const besideReact = figures.flatMap(({ screen, usableMs, reactMs }) =>
    reactMs && screen.besideReact
      ? `${screen.name} usable beside React alone (${whole(reactMs)} ms): ${share(usableMs, reactMs)} (at most ${screen.besideReact})`
      : [],
  )
  const { bytes, lcp, usable } = besidePeers
  const signIns = figures
    .filter(({ screen }) => screen.path === paths.signIn)
    .map(
      (ours) =>
        `${ours.screen.name} beside the best peer: bytes ${share(ours.bytes, bytes.peer)} (at most ${bytes.ratio}), ` +
        `LCP ${share(ours.lcpMs, lcp.peer)} (at most ${lcp.ratio}), ` +
        `usable ${share(ours.usableMs, usable.peer)} (at most ${usable.ratio})`,
    )
  console.log([...signIns, ...besideReact].join('\n'))
}
