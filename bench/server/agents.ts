import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getUserAccounts, newAccount, setEnabled } from '@kelid/contract'
import { freePort } from '../../apps/api/test/real/ports.ts'
import type { Figure } from './figures.ts'
import { fill, readerAccounts } from './fill.ts'
import { identitiesOf } from './identities.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { databaseOf } from './postgres-processes.ts'
import { ask, startProduct } from './product-process.ts'
import { simulateAgent } from './simulated-agent.ts'
import { median, percentile } from './statistics.ts'
import { newCustomer } from './targets.ts'

const size = { users: 1_000, accounts: 20_000, pairs: 10 }
export const changesPerSecond = 5

export interface AgentsPace {
  readonly rounds: number
  readonly seconds: number
}

export interface CpuShare {
  readonly product: number
  readonly database: number
}

/** CPU of the product and its database during the work, as a share of one processor. */
export async function cpuDuring(product: MeasuredProcess, work: () => Promise<unknown>): Promise<CpuShare> {
  const look = async () => {
    const [own, database] = await Promise.all([product.cost(), databaseOf(product.pid)])
    return { own: own.cpuMicros, database: database?.cpuMicros ?? 0, at: performance.now() }
  }
  const before = await look()
  await work()
  const after = await look()
  const share = (micros: number) => micros / 1000 / (after.at - before.at)
  return { product: share(after.own - before.own), database: share(after.database - before.database) }
}

const share = (values: readonly CpuShare[], of: keyof CpuShare) => median(values.map((one) => one[of]))
export const describeCpu = {
  text: (values: readonly CpuShare[]) =>
    `${(100 * share(values, 'product')).toFixed(0)}% and PostgreSQL ${(100 * share(values, 'database')).toFixed(0)}%`,
  total: (values: readonly CpuShare[]) => median(values.map((one) => one.product + one.database)),
}

/** Starts acts at a fixed rate, whether or not the previous one has ended, and returns how long each took. */
export async function paced(seconds: number, act: (turn: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const all: Promise<void>[] = []
  for (let turn = 0; turn < seconds * changesPerSecond; turn += 1) {
    const from = performance.now()
    all.push(act(turn).then(() => void times.push(performance.now() - from)))
    await sleep(1000 / changesPerSecond)
  }
  await Promise.all(all)
  return times
}

/** 20 agents with 1,000 accounts each: how soon a change reaches its node, and what that costs. */
export async function agents(folder: string, { rounds, seconds }: AgentsPace): Promise<Figure[]> {
  const port = await freePort()
  const env = { KELID_AGENT_PORT: String(port), KELID_PROBES: 'no' }
  const dataDir = join(folder, 'data')
  const product = await startProduct(dataDir, env)
  const people = await fill(dataDir, size)

  const sentAt = new Map<string, number>()
  const reached: number[] = []
  const answered: number[] = []
  const nodes = (await identitiesOf(dataDir)).map((identity) =>
    simulateAgent(identity, `https://127.0.0.1:${port}`, ({ id, enabled }) => {
      const from = sentAt.get(`${id} ${enabled}`)
      if (from !== undefined) reached.push(performance.now() - from)
      sentAt.delete(`${id} ${enabled}`)
    }),
  )
  const first = performance.now()
  await Promise.all(nodes.map((node) => node.begin()))
  const allThere = (performance.now() - first) / 1000
  const wanted = size.accounts / (2 * size.pairs)
  const lists = nodes.map((node) => node.accountCount())
  if (lists.length !== 2 * size.pairs || lists.some((count) => count !== wanted))
    throw new Error(`${lists.length} agents have lists of ${lists.join(', ')} accounts`)

  const own = (await ask(product, getUserAccounts, people.reader, {})) as { accountUUID: string }[]
  if (own.length !== readerAccounts) throw new Error(`${own.length} accounts to change`)
  let turns = 0
  /** Switches the reader's 50 accounts in turn; they are spread over all nodes. */
  const change = async () => {
    const { accountUUID } = own[turns % own.length] ?? { accountUUID: '' }
    const accountEnabled = Math.floor(turns / own.length) % 2 === 1
    turns += 1
    sentAt.set(`${accountUUID} ${accountEnabled}`, performance.now())
    const from = performance.now()
    await ask(product, setEnabled, people.reader, { accountUUID, accountEnabled })
    answered.push(performance.now() - from)
  }
  const create = async (turn: number) => {
    const buyer = people.buyers[turn % people.buyers.length] ?? ''
    await ask(product, newAccount, buyer, newCustomer, { 'idempotency-key': randomUUID() })
  }

  const spent = { alone: [] as CpuShare[], waiting: [] as CpuShare[], changing: [] as CpuShare[] }
  const created = { alone: [] as number[], beside: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    spent.alone.push(await cpuDuring(product, () => sleep(seconds * 1000)))
    created.alone.push(...(await paced(seconds, create)))
    for (const [index, node] of nodes.entries()) node.start((index * 10_000) / nodes.length)
    // First they receive what was created without them.
    await sleep(2_000)
    spent.waiting.push(await cpuDuring(product, () => sleep(seconds * 1000)))
    spent.changing.push(await cpuDuring(product, () => paced(seconds, change)))
    created.beside.push(...(await paced(seconds, create)))
    await sleep(1_000)
    await Promise.all(nodes.map((node) => node.stop()))
  }
  for (const node of nodes) node.close()
  await product.stop()

  const { text: describe, total: all } = describeCpu
  const ms = (values: readonly number[], percent: number) => `${percentile(values, percent).toFixed(0)} ms`
  // A lost change counts as infinitely late.
  const lost = turns - reached.length
  const arrivals = [...reached, ...Array(lost).fill(Number.POSITIVE_INFINITY)]
  const machine = `load ${loadavg()[0]?.toFixed(1)}`
  return [
    {
      name: '20 agents, 20,000 accounts: a change reaches its node (p95)',
      value: percentile(arrivals, 95) / 1000,
      unit: 's',
      atMost: 1,
      detail: `p50 ${ms(reached, 50)} (the caller is answered: ${ms(answered, 50)}), longest ${ms(reached, 100)}, of ${reached.length} at ${changesPerSecond} a second; ${machine}`,
    },
    {
      name: '20 agents: changes that never reached their node',
      value: lost,
      unit: 'lost',
      atMost: 0,
      detail: `of ${turns}`,
    },
    {
      name: '20 agents: CPU with 5 changes a second beside none',
      value: all(spent.changing) / all(spent.waiting),
      unit: 'x',
      detail: `of a processor: ${describe(spent.changing)}; beside ${describe(spent.waiting)} while all report; ${describe(spent.alone)} without agents`,
    },
    {
      name: '20 agents: accounts/new beside without agents (p95)',
      value: percentile(created.beside, 95) / percentile(created.alone, 95),
      unit: 'x',
      detail: `p50 ${ms(created.beside, 50)} beside ${ms(created.alone, 50)}, p95 ${ms(created.beside, 95)} beside ${ms(created.alone, 95)}`,
    },
    {
      name: '20 agents that connect at once have their lists after',
      value: allThere,
      unit: 's',
      detail: 'of 1,000 accounts each, all reported as applied',
    },
  ]
}
