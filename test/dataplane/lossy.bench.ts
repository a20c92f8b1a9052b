import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBeside } from './commands.ts'
import { openMany } from './door.ts'
import { type Line, longLine, lossyLine, openLine, reconnect } from './line.ts'
import { addNamespace, address } from './network.ts'
import { rateOf } from './rate.ts'
import { accountEverywhere, customerAt, ready, server } from './stage.ts'

const downloads = 100
const seconds = 20
const idleConnections = 4_900

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
  const { hosts } = await ready()
  const secret = await accountEverywhere()
  const ways = {
    ssh: { entry: hosts.tunnelSsh, exit: hosts.exitSsh, name: server.ssh },
    wstunnel: { entry: hosts.tunnelWs, exit: hosts.exitWs, name: server.ws },
    hysteria2: { entry: hosts.hysteria, exit: ends.customer, name: server.hysteria },
  }
  return async (name: keyof typeof ways, line: Line, idle = 0) => {
    const way = ways[name]
    const long = await openLine(way.entry, way.exit, line)
    if (name === 'ssh') await reconnect(hosts.tunnelSsh)
    const customer = await customerAt(way.entry, way.name, secret)
    const others = await openMany(way.entry, way.name, idle)
    const rate = await rateOf(downloads, seconds, (...args) =>
      customer.fetch(`http://${address.world}:8080/flood`, ...args),
    )
    await long.close()
    const stillOpen = others.filter((socket) => !socket.destroyed).length
    for (const socket of others) socket.destroy()
    customer.close()
    return { ...rate, ...(idle > 0 && { 'idle connections': stillOpen }) }
  }
}

test('100 downloads over a long line, with and without loss, beside no VPN', async () => {
  const direct = await openDirect()
  const through = await openWays()
  const rows: Record<string, Awaited<ReturnType<typeof through>>> = {}
  for (const [title, line] of Object.entries({ 'no loss': longLine, '1% loss': lossyLine })) {
    for (const control of ['cubic', 'bbr'])
      rows[`no VPN, ${control}, ${title}`] = await direct({ ...line, control })
    for (const name of ['ssh', 'wstunnel', 'hysteria2'] as const)
      rows[`${name}, ${title}`] = await through(name, line)
  }
  rows['ssh among 5,000 connections, 1% loss'] = await through('ssh', lossyLine, idleConnections)
  console.table(rows)
  for (const [name, row] of Object.entries(rows)) expect.soft(row['without a byte'], name).toBe(0)
})
