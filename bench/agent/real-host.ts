import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { desired } from '@kelid/contract'
import pg from 'pg'
import { freePort } from '../../apps/api/test/real/ports.ts'
import { xray } from '../../apps/api/test/real/programs.ts'
import type { Figure } from '../server/figures.ts'
import { connectionTo, fill } from '../server/fill.ts'
import { type Identity, identitiesOf } from '../server/identities.ts'
import { startProduct } from '../server/product-process.ts'
import { askAs, tlsAgent } from '../server/simulated-agent.ts'
import { median } from '../server/statistics.ts'
import { openCustomers } from './customers.ts'
import { cpuOf, type HostProcess, memoryOf, openHost } from './host-process.ts'

const accounts = 2_000
const restarts = 3
const watched = 20_000

/** Seconds until the core has all accounts. */
async function waitForAccounts(host: HostProcess, from = performance.now()): Promise<number> {
  while ((await host.users()) < accounts) {
    if (performance.now() - from > 60_000) throw new Error('the core did not get its accounts')
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
  if ((await host.users()) > 0) throw new Error('the core has not stopped')
  if (isEmpty) await rm(host.core.accountsFile)
  const from = performance.now()
  await host.core.start()
  const seconds = await waitForAccounts(host, from)
  // The agent checks the core again before the next restart.
  await sleep(2_000)
  return seconds
}

/** The number of accounts that the agent has reported online. */
async function seenOnline(dataDir: string): Promise<number> {
  const client = new pg.Client(await connectionTo(dataDir))
  await client.connect()
  const { rows } = await client.query('SELECT count(DISTINCT account_uuid) AS seen FROM devices')
  await client.end()
  return Number(rows[0]?.seen)
}

async function figuresOf(
  host: HostProcess,
  identity: Identity,
  url: string,
  dataDir: string,
): Promise<Figure[]> {
  const { vpnType } = identity
  const figures: Figure[] = []
  const machine = () => `load ${loadavg()[0]?.toFixed(1)}`
  const note = (name: string, value: number, unit: Figure['unit'], detail: string, atMost?: number) =>
    figures.push({ name: `${vpnType}: ${name}`, value, unit, detail, ...(atMost && { atMost }) })

  host.startAgent()
  const first = await waitForAccounts(host)
  note('2,000 accounts in an empty core after the start of the agent', first, 's', machine())
  await sleep(3_000)
  const kept: number[] = []
  const empty: number[] = []
  for (let turn = 0; turn < restarts; turn += 1) {
    kept.push(await restarted(host, false))
    empty.push(await restarted(host, true))
  }
  const each = (values: number[]) => `each: ${values.map((one) => one.toFixed(2)).join(', ')} s`
  note('2,000 accounts in after a restart of the core', median(kept), 's', `${each(kept)}, ${machine()}`, 2)
  note('the same where the core has lost its own file', median(empty), 's', each(empty))

  const idle = await share(host.agentPid())
  const [agent, core] = [await memoryOf(host.agentPid()), await memoryOf(host.core.pid())]
  for (const [name, { now, peak }] of Object.entries({ agent, core }))
    note(`memory of the ${name} with 2,000 accounts`, now, 'MB', `resident; peak ${peak.toFixed(0)} MB`)
  if (vpnType !== 'trojan') return figures

  const { accounts: listed } = await askAs(tlsAgent(identity), url, desired, { epoch: '', digest: '' })
  const secrets = (listed ?? []).map(({ secret }) => secret)
  const way = { port: host.core.port, ca: identity.ca, name: identity.url }
  if (secrets.length !== accounts) throw new Error(`${secrets.length} accounts to be online`)
  const customers = await openCustomers(secrets, way)
  await sleep(12_000)
  const busy = await share(host.agentPid())
  const [agentBusy, coreBusy] = [await memoryOf(host.agentPid()), await memoryOf(host.core.pid())]
  const [online, seen] = [customers.openCount(), await seenOnline(dataDir)]
  customers.close()
  if (online !== accounts || seen !== accounts)
    throw new Error(`${online} customers were still connected, ${seen} were reported online`)
  const percent = (value: number) => `${(100 * value).toFixed(1)}%`
  note(
    `CPU of the agent with ${online} online beside none`,
    busy / idle,
    'x',
    `${percent(busy)} of a processor beside ${percent(idle)}; agent ${agentBusy.now.toFixed(0)} MB, core ${coreBusy.now.toFixed(0)} MB; ${machine()}`,
  )
  return figures
}

/** A server of each kind with the real core and the built agent, and 2,000 accounts. */
export async function realHosts(folder: string, say: (text: string) => void): Promise<Figure[]> {
  if (!xray) {
    say('skipped: a host with its agent (no core has been built on this machine)')
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
      figures.push(...(await figuresOf(host, identity, url, dataDir)))
    } finally {
      await host.close()
    }
  }
  await product.stop()
  return figures
}
