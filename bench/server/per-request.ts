import type { Figure } from './figures.ts'
import type { People } from './fill.ts'
import { interleaved, middle, middleRatio, type Pace, type Slot } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { creation, ownAccounts, plain, whoAmI } from './targets.ts'

/** The driver alone, without the product: how dear a statement is on this machine. For information. */
const figures: { name: string; atMost?: number }[] = [
  { name: 'a bare route with one look-up' },
  { name: 'a bare route with begin, five statements, commit' },
  { name: 'getuser: CPU beside a bare route', atMost: 5 },
  { name: 'getuseraccounts, 50 rows: CPU beside a bare route', atMost: 20 },
  { name: 'accounts/new: CPU beside a bare route', atMost: 30 },
]

const describe = (slots: readonly Slot[]) =>
  [
    `${middle(slots, 'cpuMicros').toFixed(0)} µs CPU`,
    `PostgreSQL ${middle(slots, 'databaseMicros').toFixed(0)} µs`,
    `${middle(slots, 'perSecond').toFixed(0)}/s`,
    `p50 ${middle(slots, 'p50').toFixed(1)} ms`,
    `p99 ${middle(slots, 'p99').toFixed(1)} ms`,
  ].join(', ')

/** What the server process spends on a call, in units of what the framework spends on an empty one. */
export async function perRequest(
  bare: MeasuredProcess,
  product: MeasuredProcess,
  people: People,
  pace: Pace,
): Promise<Figure[]> {
  const [yardstick = [], ...measured] = await interleaved(
    [
      plain(bare, '/bare'),
      plain(bare, '/look-up'),
      plain(bare, '/charge'),
      whoAmI(product, people),
      ownAccounts(product, people),
      creation(product, people),
    ],
    pace,
  )
  const yardstickFigure: Figure = { name: 'the bare route', value: 1, unit: 'x', detail: describe(yardstick) }
  return [
    yardstickFigure,
    ...figures.map(({ name, ...limit }, index): Figure => {
      const slots = measured[index] ?? []
      const value = middleRatio(slots, yardstick, 'cpuMicros')
      return { name, value, unit: 'x', ...limit, detail: describe(slots) }
    }),
  ]
}
