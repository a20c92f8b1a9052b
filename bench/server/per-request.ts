import { availableParallelism } from 'node:os'
import type { Figure } from './figures.ts'
import type { People } from './fill.ts'
import { interleaved, middle, middleRatio, type Pace, type Slot } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { creation, ownAccounts, plain, whoIsEach } from './targets.ts'

/** The first two use only the driver and show the cost of a statement on this machine. */
const figures: { name: string; atMost?: number; perSecond?: number }[] = [
  { name: 'a bare route with one look-up' },
  { name: 'a bare route with begin, five statements, commit' },
  { name: 'getuser', atMost: 5, perSecond: 0.1 },
  { name: 'getuseraccounts, 50 rows without links', atMost: 35, perSecond: 0.03 },
  { name: 'accounts/new', atMost: 45, perSecond: 0.01 },
]

const describe = (slots: readonly Slot[]) =>
  [
    `${middle(slots, 'cpuMicros').toFixed(0)} µs CPU`,
    Number.isNaN(middle(slots, 'databaseMicros'))
      ? ''
      : `PostgreSQL ${middle(slots, 'databaseMicros').toFixed(0)} µs`,
    `${middle(slots, 'perSecond').toFixed(0)}/s`,
    `p50 ${middle(slots, 'p50').toFixed(1)} ms`,
    `p99 ${middle(slots, 'p99').toFixed(1)} ms`,
  ]
    .filter(Boolean)
    .join(', ')

/** CPU per call and answers per second, relative to an empty route of the framework. */
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
      whoIsEach(product, people),
      ownAccounts(product, people),
      creation(product, people),
    ],
    pace,
  )
  const yardstickFigure: Figure = { name: 'the bare route', value: 1, unit: 'x', detail: describe(yardstick) }
  return [
    yardstickFigure,
    ...figures.flatMap(({ name, atMost, perSecond }, index): Figure[] => {
      const slots = measured[index] ?? []
      const beside = (quantity: keyof Slot) => middleRatio(slots, yardstick, quantity)
      const cpu: Figure = {
        name: `${name}: CPU beside a bare route`,
        value: beside('cpuMicros'),
        unit: 'x',
        ...(atMost && { atMost }),
        detail: describe(slots),
      }
      if (!perSecond) return [cpu]
      const pace: Figure = {
        name: `${name}: answers a second beside a bare route`,
        value: beside('perSecond'),
        unit: 'x',
        atLeast: perSecond,
        detail: `${middle(slots, 'perSecond').toFixed(0)}/s beside ${middle(yardstick, 'perSecond').toFixed(0)}/s`,
      }
      return [cpu, pace]
    }),
    ...purchaseFigures(measured.at(-1) ?? [], pace),
  ]
}

/** Without limits, because they depend on the machine. */
function purchaseFigures(slots: readonly Slot[], { connections }: Pace): Figure[] {
  const detail = `${connections} parallel buyers, ${availableParallelism()} cores`
  return [
    { name: 'purchases a second', value: middle(slots, 'perSecond'), unit: '/s', detail },
    { name: 'p99 of a purchase', value: middle(slots, 'p99'), unit: 'ms', detail },
  ]
}
