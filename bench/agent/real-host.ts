import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { desired } from '@kelid/contract'
import { freePort } from '../../apps/api/test/real/ports.ts'
import { xray } from '../../apps/api/test/real/programs.ts'
import type { Figure } from '../server/figures.ts'
import { fill } from '../server/fill.ts'
import { type Identity, identitiesOf } from '../server/identities.ts'
import { startProduct } from '../server/product-process.ts'
import { askAs, tlsAgent } from '../server/simulated-agent.ts'
import { median } from '../server/statistics.ts'
import { openCustomers } from './customers.ts'
import { cpuOf, type HostProcess, memoryOf, openHost } from './host-process.ts'

const accounts = 2_000
const restarts = 3
const watched = 20_000

/** Until the core lets all of them in, in seconds. */
async function allIn(host: HostProcess, from = performance.now()): Promise<number> {
  while ((await host.users()) < accounts) {
    if (performance.now() - from > 60_000) throw new Error('the accounts did not come')
    await sleep(10)
  }
  return (performance.now() - from) / 1000
}

const share = async (pid: number) => {
  const before = await cpuOf(pid)
  await sleep(watched)
  return ((await cpuOf(pid)) - before) / (watched / 1000)
}

async function restarted(host: HostProcess, isEmpty: boolean): Promise<number> {
  await host.core.stop()
  if (isEmpty) await rm(host.core.accountsFile, { force: true })
  const from = performance.now()
  await host.core.start()
  const seconds = await allIn(host, from)
  // The agent looks again before the next one.
  await sleep(2_000)
  return seconds
}

async function figuresOf(host: HostProcess, identity: Identity, url: string): Promise<Figure[]> {
  const { vpnType } = identity
  const figures: Figure[] = []
  const machine = () => `load ${loadavg()[0]?.toFixed(1)}`
  const note = (name: string, value: number, unit: Figure['unit'], detail: string, atMost?: number) =>
    figures.push({ name: `${vpnType}: ${name}`, value, unit, detail, ...(atMost && { atMost }) })

  host.startAgent()
  const first = await allIn(host)
  note('2,000 accounts in an empty core after the start of the agent', first, 's', machine())
  await sleep(3_000)
  const [kept, empty]: number[][] = [[], []]
  for (let turn = 0; turn < restarts; turn += 1) {
    kept?.push(await restarted(host, false))
    empty?.push(await restarted(host, true))
  }
  const each = (values: number[] = []) => `each: ${values.map((one) => one.toFixed(2)).join(', ')} s`
  note(
    '2,000 accounts in after a restart of the core',
    median(kept ?? []),
    's',
    `${each(kept)}, ${machine()}`,
    2,
  )
  note('the same where the core has lost its own file', median(empty ?? []), 's', each(empty))

  const idle = await share(host.agentPid())
  const [agent, core] = [await memoryOf(host.agentPid()), await memoryOf(host.core.pid())]
  note(
    'memory of the agent with 2,000 accounts',
    agent.now,
    'MB',
    `resident; at most ${agent.most.toFixed(0)} MB`,
  )
  note(
    'memory of the core with 2,000 accounts',
    core.now,
    'MB',
    `resident; at most ${core.most.toFixed(0)} MB`,
  )
  if (vpnType !== 'trojan') return figures

  const { accounts: listed } = await askAs(tlsAgent(identity), url, desired, { epoch: '', digest: '' })
  const secrets = (listed ?? []).map(({ secret }) => secret)
  const way = { port: host.core.port, ca: identity.ca, name: identity.url }
  const customers = await openCustomers(secrets, way)
  await sleep(12_000)
  const busy = await share(host.agentPid())
  const [agentBusy, coreBusy] = [await memoryOf(host.agentPid()), await memoryOf(host.core.pid())]
  customers.close()
  const percent = (value: number) => `${(100 * value).toFixed(1)}%`
  note(
    `CPU of the agent with ${customers.count} online beside none`,
    busy / idle,
    'x',
    `${percent(busy)} of a processor beside ${percent(idle)}; agent ${agentBusy.now.toFixed(0)} MB, core ${coreBusy.now.toFixed(0)} MB; ${machine()}`,
  )
  return figures
}

/** A server of each kind with the real core and the built agent, and 2,000 accounts. */
export async function realHosts(folder: string, say: (text: string) => void): Promise<Figure[]> {
  if (!xray) {
    say('left out: a host with its agent (no core has been built on this machine)')
    return []
  }
  say('a host with the real core and its agent, 2,000 accounts')
  const port = await freePort()
  const dataDir = join(folder, 'data')
  const product = await startProduct(dataDir, { KELID_AGENT_PORT: String(port), KELID_PROBES: 'no' })
  await fill(dataDir, { users: 100, accounts: 2 * accounts, pairs: 1 })
  const url = `https://127.0.0.1:${port}`
  const figures: Figure[] = []
  for (const identity of await identitiesOf(dataDir)) {
    const host = await openHost(join(folder, identity.uuid), identity, url)
    try {
      figures.push(...(await figuresOf(host, identity, url)))
    } finally {
      await host.close()
    }
  }
  await product.stop()
  return figures
}
