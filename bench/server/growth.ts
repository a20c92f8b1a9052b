import type { Figure } from './figures.ts'
import type { People } from './fill.ts'
import { interleaved, middle, middleRatio, type Pace, type Slot, type Target } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { broadSearch, ownAccounts, rareSearch } from './targets.ts'

export interface Installation {
  product: MeasuredProcess
  people: People
}

const quantities = [
  { quantity: 'cpuMicros', says: 'CPU', unit: 'µs' },
  { quantity: 'p50', says: 'wall', unit: 'ms' },
  { quantity: 'databaseMicros', says: 'database CPU', unit: 'µs' },
] as const satisfies { quantity: keyof Slot; says: string; unit: string }[]
/** The database's CPU is read from /proc. */
const isKnown = ({ quantity }: { quantity: keyof Slot }) =>
  quantity !== 'databaseMicros' || process.platform === 'linux'

interface Question {
  name: string
  target: (product: MeasuredProcess, people: People) => Target
  atMost?: number
}

/** Counting matches takes longer the more there are, so the last has no limit. */
const calls: Question[] = [
  { name: 'getuseraccounts, 50 of 100,000 beside 50 of 1,000', target: ownAccounts, atMost: 1.3 },
  { name: 'getusers, search finds 20 of 10,000 beside 20 of 1,000', target: rareSearch, atMost: 1.3 },
  { name: 'getusers, search finds all of 10,000 beside all of 1,000', target: broadSearch },
]

/** The same call to a small and a large installation, one request at a time. */
export async function growth(small: Installation, large: Installation, pace: Pace): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, target, ...limit } of calls) {
    const [before = [], after = []] = await interleaved(
      [target(small.product, small.people), target(large.product, large.people)],
      { ...pace, warmRequests: pace.warmRequests / 20, connections: 1 },
    )
    const grown = quantities.filter(isKnown).map(({ quantity, says, unit }) => ({
      ratio: middleRatio(after, before, quantity),
      says: `${says} ${middle(after, quantity).toPrecision(3)} ${unit} beside ${middle(before, quantity).toPrecision(3)} ${unit}`,
    }))
    const detail = grown.map(({ ratio, says }) => `${says} (${ratio.toFixed(2)} x)`).join(', ')
    figures.push({ name, value: Math.max(...grown.map(({ ratio }) => ratio)), unit: 'x', detail, ...limit })
  }
  return figures
}
