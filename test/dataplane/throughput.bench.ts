import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { authority } from './authority.ts'
import { runBeside } from './commands.ts'
import { addAccount } from './core-api.ts'
import { type Customer, openCustomer } from './customer.ts'
import { address } from './network.ts'
import { ready, server } from './stage.ts'

const url = `http://${address.world}:8080/flood`
const rounds = 5
const secondsEach = '3'
/** Bytes a second of what came in the time. */
const measure = ['--output', '/dev/null', '--write-out', '%{speed_download}', '--max-time', secondsEach]

const customers: Customer[] = []
afterAll(() => {
  for (const customer of customers) customer.close()
})

async function openWays() {
  const { hosts } = await ready()
  const account = randomUUID()
  const secret = randomUUID()
  await Promise.all([
    addAccount(hosts.exitSsh, 'trojan', account, secret),
    addAccount(hosts.exitWs, 'trojan', account, secret),
    addAccount(hosts.hysteria, 'hysteria', account, secret),
  ])
  const open = async (type: 'trojan' | 'hysteria2', entry: string, name: string) => {
    const way = { type, server: entry, port: 443, name, secret, authority: authority() }
    const customer = await openCustomer(way)
    customers.push(customer)
    return async () => Number((await customer.fetch(url, ...measure)).stdout)
  }
  return {
    'no VPN': async () => {
      const curl = ['ip', 'netns', 'exec', 'customer', 'curl', '--silent', ...measure, url]
      return Number((await runBeside(curl)).stdout)
    },
    'trojan by wstunnel': await open('trojan', hosts.tunnelWs.address, server.ws),
    'trojan by ssh': await open('trojan', hosts.tunnelSsh.address, server.ssh),
    'hysteria2, directly': await open('hysteria2', hosts.hysteria.address, server.hysteria),
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

test('what comes through each way, beside the same client without one', async () => {
  const ways = Object.entries(await openWays())
  const speeds = new Map<string, number[]>(ways.map(([name]) => [name, []]))
  // In turn, so that whatever else the machine does is shared.
  for (let round = 0; round < rounds; round += 1)
    for (const [name, speed] of ways) speeds.get(name)?.push(await speed())
  const bare = median(speeds.get('no VPN') ?? [])
  console.table(
    Object.fromEntries(
      [...speeds].map(([name, values]) => [
        name,
        {
          'MB/s, median': (median(values) / 1e6).toFixed(0),
          'of no VPN': (median(values) / bare).toFixed(2),
        },
      ]),
    ),
  )
  for (const [name, values] of speeds) expect(median(values), name).toBeGreaterThan(0)
})
