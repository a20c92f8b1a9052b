import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getAccount, getUserAccounts, setEnabled } from '@kelid/contract'
import { freePort } from '../../apps/api/test/real/ports.ts'
import { type AgentsPace, type CpuShare, changesPerSecond, cpuDuring, describeCpu, paced } from './agents.ts'
import type { Figure } from './figures.ts'
import { fill, readerAccounts } from './fill.ts'
import { identitiesOf } from './identities.ts'
import { ask, startProduct } from './product-process.ts'
import { simulateAgent } from './simulated-agent.ts'
import { percentile } from './statistics.ts'

const ways = 3
const size = { users: 200, accounts: 2_000, pairs: 10, ways }
/** A change that took longer is lost. */
const patience = 10_000

interface Change {
  readonly from: number
  readonly nodes: Set<string>
}

/** 20 agents and 2,000 accounts with three ways: how soon a change reaches all three nodes, and is called applied. */
export async function agentWays(folder: string, { rounds, seconds }: AgentsPace): Promise<Figure[]> {
  const port = await freePort()
  const dataDir = join(folder, 'data')
  const product = await startProduct(dataDir, { KELID_AGENT_PORT: String(port), KELID_PROBES: 'no' })
  const people = await fill(dataDir, size)

  const changes = new Map<string, Change>()
  const reached: number[] = []
  const nodes = (await identitiesOf(dataDir)).map((identity) =>
    simulateAgent(identity, `https://127.0.0.1:${port}`, ({ id, enabled }) => {
      const change = changes.get(`${id} ${enabled}`)
      if (!change) return
      change.nodes.add(identity.uuid)
      if (change.nodes.size === ways) reached.push(performance.now() - change.from)
    }),
  )
  await Promise.all(nodes.map((node) => node.begin()))
  const wanted = (size.accounts * ways) / (2 * size.pairs)
  const lists = nodes.map((node) => node.accountCount())
  if (lists.length !== 2 * size.pairs || lists.some((count) => count !== wanted))
    throw new Error(`${lists.length} agents have lists of ${lists.join(', ')} accounts`)

  const own = (await ask(product, getUserAccounts, people.reader, {})) as { accountUUID: string }[]
  if (own.length !== readerAccounts) throw new Error(`${own.length} accounts to change`)
  const applied: number[] = []
  let turns = 0
  let early = 0
  /** Switches the reader's 50 accounts in turn, and asks until the change is applied. */
  const change = async () => {
    const { accountUUID } = own[turns % own.length] ?? { accountUUID: '' }
    const accountEnabled = Math.floor(turns / own.length) % 2 === 1
    turns += 1
    const from = performance.now()
    const begun: Change = { from, nodes: new Set() }
    changes.set(`${accountUUID} ${accountEnabled}`, begun)
    await ask(product, setEnabled, people.reader, { accountUUID, accountEnabled })
    while (performance.now() - from < patience) {
      const [account] = (await ask(product, getAccount, people.reader, { accountUUID })) as {
        accountApplied: string
      }[]
      if (account?.accountApplied === 'applied') {
        applied.push(performance.now() - from)
        if (begun.nodes.size < ways) early += 1
        break
      }
      await sleep(50)
    }
    changes.delete(`${accountUUID} ${accountEnabled}`)
  }

  const spent = { waiting: [] as CpuShare[], changing: [] as CpuShare[] }
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, node] of nodes.entries()) node.start((index * 10_000) / nodes.length)
    await sleep(2_000)
    spent.waiting.push(await cpuDuring(product, () => sleep(seconds * 1000)))
    spent.changing.push(await cpuDuring(product, () => paced(seconds, change)))
    await sleep(1_000)
    await Promise.all(nodes.map((node) => node.stop()))
  }
  for (const node of nodes) node.close()
  await product.stop()

  const ms = (values: readonly number[], percent: number) => `${percentile(values, percent).toFixed(0)} ms`
  const withLost = (values: readonly number[]) => [
    ...values,
    ...Array(turns - values.length).fill(Number.POSITIVE_INFINITY),
  ]
  const lost = turns - Math.min(reached.length, applied.length)
  return [
    {
      name: '20 agents, 2,000 accounts with 3 ways: a change reaches 3 of 3 nodes (p95)',
      value: percentile(withLost(reached), 95) / 1000,
      unit: 's',
      atMost: 1,
      detail: `p50 ${ms(reached, 50)}, longest ${ms(reached, 100)}, of ${reached.length} at ${changesPerSecond} a second; load ${loadavg()[0]?.toFixed(1)}`,
    },
    {
      name: '20 agents, 3 ways: the account says applied (p95)',
      value: percentile(withLost(applied), 95) / 1000,
      unit: 's',
      atMost: 2,
      detail: `p50 ${ms(applied, 50)}, longest ${ms(applied, 100)}; asked every 50 ms`,
    },
    {
      name: '20 agents, 3 ways: changes that did not reach all nodes, or were not called applied',
      value: lost,
      unit: 'lost',
      atMost: 0,
      detail: `of ${turns}`,
    },
    {
      name: '20 agents, 3 ways: called applied before 3 of 3 nodes had the change',
      value: early,
      unit: 'lost',
      atMost: 0,
      detail: `of ${applied.length}`,
    },
    {
      name: '20 agents, 3 ways: CPU of the server while all report',
      value: describeCpu.total(spent.waiting),
      unit: 'x',
      atMost: 0.5,
      detail: `of a processor: ${describeCpu.text(spent.waiting)}; with ${changesPerSecond} changes a second, asked about every 50 ms: ${describeCpu.text(spent.changing)}`,
    },
  ]
}
