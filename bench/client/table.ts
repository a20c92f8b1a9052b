import { paths } from '../../apps/web/src/lib/paths.ts'
import { besidePeers, peers } from './limits.ts'
import type { Figures } from './rounds.ts'

const kilobytes = (bytes: number) => (bytes / 1_024).toFixed(1)
const whole = (value: number) => Math.round(value).toString()
const share = (value: number, of: number) => `${(value / of).toFixed(2)} x`

/** Every screen under the throttle, then the peers' sign-in screens with ours beside them. */
export function tableOf(figures: readonly Figures[]): string {
  const head = [
    'screen',
    'KB',
    'budget',
    'files',
    'calls',
    'LCP ms',
    'static',
    'ratio',
    'usable ms',
    'blocked ms',
  ]
  const rows = figures.map(({ screen, bytes, files, calls, lcpMs, floorMs, usableMs, blockingMs }) => [
    screen.name,
    kilobytes(bytes),
    String(screen.budgetKB),
    String(files),
    String(calls),
    whole(lcpMs),
    whole(floorMs),
    share(lcpMs, floorMs),
    whole(usableMs),
    whole(blockingMs),
  ])
  const others = peers.map(({ name, KB, lcpMs, usableMs }) => [
    `${name} (measured before)`,
    String(KB),
    '',
    '',
    '',
    whole(lcpMs),
    '',
    '',
    whole(usableMs),
    '',
  ])
  const all = [head, ...rows, ...others]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
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
  return [...lines, '', ...signIns, ...besideReact].join('\n')
}
