import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBeside } from './commands.ts'
import type { Customer } from './customer.ts'
import { countWorking, openIdle } from './door.ts'
import type { Host } from './host.ts'
import { type Line, longLine, lossyLine, openLine, reconnect } from './line.ts'
import { addNamespace, address } from './network.ts'
import { rateOf } from './rate.ts'
import { openRealityCustomer, realityReady } from './reality.ts'
import { accountEverywhere, customerAt, ready, server } from './stage.ts'

const downloads = 100
const seconds = 20
const idleConnections = 4_900
/** Megabits a second, of the line's 300. */
const target = 200

const ends = {
  near: { name: 'near', address: '203.0.113.240' },
  far: { name: 'far', address: '203.0.113.241' },
  customer: { name: 'customer', address: address.customer },
}
const children: ReturnType<typeof spawn>[] = []
afterAll(() => {
  for (const child of children) child.kill()
})

/** Downloads over the same line without a VPN. */
async function openDirect() {
  for (const end of [ends.near, ends.far]) addNamespace(end.name, end.address)
  const far = ['netns', 'exec', 'far', process.execPath, join(import.meta.dirname, 'flood.mjs')]
  const pages = spawn('ip', far, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(pages)
  await once(pages.stdout, 'data')
  return async (line: Line) => {
    const way = await openLine(ends.near, ends.far, line)
    const url = `http://${ends.far.address}:8080/`
    const rate = await rateOf(downloads, seconds, (...args) =>
      runBeside(['ip', 'netns', 'exec', 'near', 'curl', ...args, url]),
    )
    await way.close()
    return rate
  }
}

async function openWays() {
  const [{ hosts }, { reality, xhttp }] = await Promise.all([ready(), realityReady()])
  const secret = await accountEverywhere()
  const trojan = (entry: Host, exit: Host, name: string) => ({
    ...{ entry, exit, open: () => customerAt(entry, name, secret) },
    /** Of the same customer. */
    openIdle: (count: number) => openIdle(entry, name, secret, count),
  })
  const direct = (entry: Host, open: () => Promise<Customer>) => ({ entry, exit: ends.customer, open })
  const ways = {
    'trojan by ssh': trojan(hosts.tunnelSsh, hosts.exitSsh, server.ssh),
    'trojan by wstunnel': trojan(hosts.tunnelWs, hosts.exitWs, server.ws),
    'vless-reality': direct(reality.host, () => openRealityCustomer(reality)),
    'vless-xhttp': direct(xhttp.host, () => openRealityCustomer(xhttp)),
    hysteria2: direct(hosts.hysteria, () => customerAt(hosts.hysteria, server.hysteria, secret)),
  }
  const open = async (name: keyof typeof ways, line: Line) => {
    const way = ways[name]
    const long = await openLine(way.entry, way.exit, line)
    if (name === 'trojan by ssh') await reconnect(way.entry)
    const customer = await way.open()
    return {
      rate: () =>
        rateOf(downloads, seconds, (...args) =>
          customer.fetch(`http://${address.world}:8080/flood`, ...args),
        ),
      close: async () => {
        await long.close()
        customer.close()
      },
    }
  }
  return { ways, open }
}

test('100 downloads over a long line, with and without loss, beside no VPN', async () => {
  const direct = await openDirect()
  const { ways, open } = await openWays()
  const rows: Record<string, Awaited<ReturnType<typeof rateOf>>> = {}
  for (const [title, line] of Object.entries({ 'no loss': longLine, '1% loss': lossyLine })) {
    for (const control of ['cubic', 'bbr'])
      rows[`no VPN, ${control}, ${title}`] = await direct({ ...line, control })
    for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
      const way = await open(name, line)
      rows[`${name}, ${title}`] = await way.rate()
      await way.close()
    }
  }
  console.table(rows)
  for (const [name, row] of Object.entries(rows)) expect.soft(row['without a byte'], name).toBe(0)
})

test('an SSH tunnel with 5,000 connections, 100 of them downloads, over a long line with loss', async () => {
  const { ways, open } = await openWays()
  const way = await open('trojan by ssh', lossyLine)
  const since = performance.now()
  const idle = await ways['trojan by ssh'].openIdle(idleConnections)
  console.log(
    `${idle.length} idle connections opened in ${((performance.now() - since) / 1000).toFixed(1)} s`,
  )
  const rate = await way.rate()
  const working = await countWorking(idle)
  await way.close()
  for (const socket of idle) socket.destroy()
  console.table({ 'ssh among 5,000 connections, 1% loss': { ...rate, 'idle connections': working } })
  expect.soft(rate['without a byte']).toBe(0)
  expect.soft(working).toBeGreaterThanOrEqual(idleConnections)
  expect.soft(rate['Mbit/s']).toBeGreaterThanOrEqual(target)
})
