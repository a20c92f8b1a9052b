import { afterAll, expect, test } from 'vitest'
import { type Ended, runBeside } from './commands.ts'
import type { Customer } from './customer.ts'
import { address } from './network.ts'
import { openRealityCustomer, realityReady } from './reality.ts'
import { accountEverywhere, customerAt, ready, server } from './stage.ts'

const url = `http://${address.world}:8080/flood`
const rounds = 5
const secondsEach = '3'
const output = ['--output', '/dev/null', '--write-out', '%{speed_download}']
const measure = ['--fail', ...output, '--max-time', secondsEach]
/** Minimum speed relative to no VPN in the same run. */
const atLeast: Record<string, number> = {
  'trojan by wstunnel': 0.05,
  'trojan by ssh': 0.05,
  'vless-reality, directly': 0.05,
  'vless-xhttp, directly': 0.02,
  'hysteria2, directly': 0.02,
}

/** curl's exit code for --max-time: the download was still going on. */
const timeIsOver = 28

/** Bytes a second. A download that ends early has failed, however fast it was. */
function speedOf({ code, stdout, stderr }: Ended): number {
  if (code !== timeIsOver || !(Number(stdout) > 0))
    throw new Error(`curl ended with ${code}: ${stdout} ${stderr}`)
  return Number(stdout)
}

const customers: Customer[] = []
afterAll(() => {
  for (const customer of customers) customer.close()
})

async function openWays() {
  const [{ hosts }, { reality, xhttp }] = await Promise.all([ready(), realityReady()])
  const secret = await accountEverywhere()
  const through = async (opening: Promise<Customer>) => {
    const customer = await opening
    customers.push(customer)
    return async () => speedOf(await customer.fetch(url, ...measure))
  }
  return {
    'no VPN': async () => {
      const curl = ['ip', 'netns', 'exec', 'customer', 'curl', '--silent', ...measure, url]
      return speedOf(await runBeside(curl))
    },
    'trojan by wstunnel': await through(customerAt(hosts.tunnelWs, server.ws, secret)),
    'trojan by ssh': await through(customerAt(hosts.tunnelSsh, server.ssh, secret)),
    'vless-reality, directly': await through(openRealityCustomer(reality)),
    'vless-xhttp, directly': await through(openRealityCustomer(xhttp)),
    'hysteria2, directly': await through(customerAt(hosts.hysteria, server.hysteria, secret)),
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

test('throughput of each way relative to no VPN', async () => {
  const ways = Object.entries(await openWays())
  const speeds = new Map<string, number[]>(ways.map(([name]) => [name, []]))
  // In turn, so that other load on the machine affects all ways alike.
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
  expect(Object.keys(atLeast)).toEqual([...speeds.keys()].filter((name) => name !== 'no VPN'))
  for (const [name, least] of Object.entries(atLeast))
    expect.soft(median(speeds.get(name) ?? []) / bare, name).toBeGreaterThanOrEqual(least)
})
