import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { realHosts } from '../agent/real-host.ts'
import { agentWays } from './agent-ways.ts'
import { agents } from './agents.ts'
import { type Figure, isExceeded, printTable } from './figures.ts'
import { connectionTo, fill } from './fill.ts'
import { flood } from './flood.ts'
import { growth } from './growth.ts'
import { loudRun } from './loud-run.ts'
import { startMeasured, stopAll } from './measured-process.ts'
import { perRequest } from './per-request.ts'
import { timedStart } from './product-process.ts'
import { memoryFigures, startFigure } from './start-up.ts'

const isQuick = process.argv.includes('--quick')
const pace = isQuick
  ? { rounds: 3, warmRequests: 2_000, seconds: 0.7, connections: 8 }
  : { rounds: 7, warmRequests: 20_000, seconds: 1.5, connections: 8 }
const starts = isQuick ? 1 : 3
const patience = 1_800_000

const begun = performance.now()
const say = (text: string) =>
  console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`)

async function measure(folder: string): Promise<Figure[]> {
  const figures: Figure[] = []
  const smallDir = join(folder, 'small')
  const largeDir = join(folder, 'large')

  say('starting without data')
  const first: number[] = []
  for (let turn = 1; turn < starts; turn++) {
    const dir = join(folder, `empty-${turn}`)
    const { product, seconds } = await timedStart(dir)
    first.push(seconds)
    await product.stop()
    await rm(dir, { recursive: true })
  }
  const small = await timedStart(smallDir)
  first.push(small.seconds)
  figures.push(startFigure('start to first answered call, empty', first, 3))
  figures.push(...(await memoryFigures('after an empty start', small.product)))

  say('filling 1,000 and 100,000 accounts')
  const smallPeople = await fill(smallDir, { users: 1_000, accounts: 1_000 })
  const filling = await timedStart(largeDir)
  const largePeople = await fill(largeDir, { users: 10_000, accounts: 100_000 })
  await filling.product.stop()

  say('starting on 100,000 accounts')
  const again: number[] = []
  let large = await timedStart(largeDir)
  again.push(large.seconds)
  for (let turn = 1; turn < starts; turn++) {
    await large.product.stop()
    large = await timedStart(largeDir)
    again.push(large.seconds)
  }
  figures.push(startFigure('start to first answered call, 100,000 accounts', again, 5))
  figures.push(...(await memoryFigures('after a start on 100,000 accounts', large.product)))

  say('growth: one request at a time')
  figures.push(
    ...(await growth(
      { product: small.product, people: smallPeople },
      { product: large.product, people: largePeople },
      pace,
    )),
  )
  await small.product.stop()

  say(`load: ${pace.connections} connections`)
  const bare = await startMeasured(
    [join(import.meta.dirname, 'bare-route.ts')],
    { BENCH_DATABASE: JSON.stringify(await connectionTo(largeDir)) },
    join(folder, 'bare.log'),
  )
  figures.push(...(await perRequest(bare, large.product, largePeople, pace)))
  await bare.stop()
  await large.product.stop()

  return figures
}

/** PostgreSQL does not run as root; its user must be able to reach its folder. */
async function placeIn(folder: string, name: string): Promise<string> {
  const place = join(folder, name)
  await mkdir(place)
  await chmod(place, 0o711)
  return place
}

/** In this order; `-- --only=agents` runs one part. */
const parts: Record<string, (folder: string) => Promise<Figure[]>> = {
  calls: measure,
  loud: (folder) => {
    say('a run that writes 100 MB')
    return loudRun(folder, pace)
  },
  flood: (folder) => {
    say('one reseller with 150 and 250 bulk calls at once')
    return flood(folder, pace)
  },
  agents: async (folder) => {
    const agentsPace = isQuick ? { rounds: 1, seconds: 10 } : { rounds: 3, seconds: 20 }
    say('20 agents with 1,000 accounts each')
    const figures = await agents(await placeIn(folder, 'many'), agentsPace)
    say('20 agents and 2,000 accounts with three ways')
    return [...figures, ...(await agentWays(await placeIn(folder, 'ways'), agentsPace))]
  },
  host: (folder) => realHosts(folder, say),
}
const only = process.argv.find((option) => option.startsWith('--only='))?.slice('--only='.length)
if (only && !(only in parts)) throw new Error(`--only is one of ${Object.keys(parts).join(', ')}`)

const folder = await mkdtemp(join(tmpdir(), 'kelid-bench-'))
// PostgreSQL does not run as root; its user must be able to reach its folder.
await chmod(folder, 0o711)

async function end(code: number): Promise<never> {
  await stopAll()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(1))
setTimeout(() => {
  say('this machine is too busy: stopped')
  void end(1)
}, patience).unref()

try {
  const figures: Figure[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (only && only !== name) continue
    const measured = await part(await placeIn(folder, name))
    printTable(measured)
    figures.push(...measured)
  }
  say('done')
  if (figures.length === 0) throw new Error('nothing was measured')
  await end(figures.some(isExceeded) ? 1 : 0)
} catch (error) {
  console.error(error)
  await end(1)
}
