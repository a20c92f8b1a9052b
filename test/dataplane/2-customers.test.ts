import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from './commands.ts'
import { addAccount } from './core-api.ts'
import type { Customer } from './customer.ts'
import type { Host } from './host.ts'
import { address } from './network.ts'
import { page, secret } from './pages.ts'
import { names } from './resolver.ts'
import { customerAt, ready, server } from './stage.ts'

type Ready = Awaited<ReturnType<typeof ready>>
const account = randomUUID()
const password = randomUUID()

const ways = {
  'an SSH tunnel': (hosts: Ready['hosts']) => ({
    exit: hosts.exitSsh,
    entry: hosts.tunnelSsh,
    name: server.ssh,
  }),
  'a tunnel over WebSocket': (hosts: Ready['hosts']) => ({
    exit: hosts.exitWs,
    entry: hosts.tunnelWs,
    name: server.ws,
  }),
  'hysteria2, directly': (hosts: Ready['hosts']) => ({
    exit: hosts.hysteria,
    entry: hosts.hysteria,
    name: server.hysteria,
  }),
}

describe.each(Object.entries(ways))('a customer by %s', (_, way) => {
  let customer: Customer
  let exit: Host

  beforeAll(async () => {
    const { hosts } = await ready()
    const { entry, name, ...rest } = way(hosts)
    exit = rest.exit
    await addAccount(exit, exit === entry ? 'hysteria' : 'trojan', account, password)
    customer = await customerAt(entry, name, password)
  })
  afterAll(() => customer?.close())

  test("fetches a page by address and by name from the server's address", async () => {
    expect((await customer.fetch(`http://${address.world}:8080/`)).stdout).toBe(page)
    expect((await customer.fetch('http://page.example:8080/')).stdout).toBe(page)
    expect((await customer.fetch('http://page.example:8080/who')).stdout).toBe(exit.address)
  })

  test("reaches the server with the customer's own address", async () => {
    // Only while something is open: the core forgets who has left.
    const download = customer.download('http://page.example:8080/download')
    const asked = `/usr/local/lib/kelid/core api statsonlineiplist --server=127.0.0.1:10085 -email ${account}`
    const seen = () =>
      exit
        .say(asked)
        .then((list) => expect(Object.keys(JSON.parse(list).ips ?? {})).toEqual([address.customer]))
    await until('the customer is seen', 10, seen)
    expect(download.end().isOpen).toBe(true)
  })

  test('sends UDP packets', async () => {
    const packets = await customer.udp()
    expect(await packets.ask(address.world, 8080)).toBe(page)
    packets.close()
  })

  test('is refused with another secret', async () => {
    const { hosts } = await ready()
    const { entry, name } = way(hosts)
    const stranger = await customerAt(entry, name, randomUUID())
    const { stdout } = await stranger.fetch('http://page.example:8080/', '--max-time', '3')
    stranger.close()
    // At trojan, the page for strangers answers; what was asked for does not.
    expect(stdout).not.toContain(page)
  })

  test('reaches neither the host nor its neighbours, by address or by name', async () => {
    names.set('loopback.example', '127.0.0.1')
    names.set('private.example', address.private)
    names.set('metadata.example', address.metadata)
    // Something answers there, as root on the host can see.
    for (const neighbour of [address.private, address.metadata])
      expect(await exit.say(`curl -s --max-time 5 http://${neighbour}:8080/`)).toBe(secret)
    const places = [
      ...['127.0.0.1', 'localhost', 'loopback.example'].map((host) => `${host}:10085`),
      ...['127.0.0.1', exit.address].map((host) => `${host}:22`),
      ...[address.private, 'private.example'].map((host) => `${host}:8080`),
      ...[address.metadata, 'metadata.example'].map((host) => `${host}:8080`),
    ]
    const got = await Promise.all(
      places.map(async (place) => {
        const { code, stdout } = await customer.fetch(`http://${place}/`, '--http0.9', '--max-time', '3')
        return { place, reached: code === 0 || stdout !== '' || code === 28 }
      }),
    )
    expect(got.filter(({ reached }) => reached)).toEqual([])
  })

  test('does not reach them by DNS rebinding', async () => {
    let asked = 0
    names.set('fickle.example', () => (asked++ % 2 === 0 ? address.world : address.private))
    const got: string[] = []
    for (let time = 0; time < 8; time++)
      got.push((await customer.fetch('http://fickle.example:8080/', '--max-time', '2')).stdout)
    console.log(`asked ${asked} times, answered ${got.filter((text) => text === page).length} of 8`)
    expect(asked).toBeGreaterThan(1)
    expect(got).not.toContain(secret)
  })

  test('does not reach them with UDP packets that follow an allowed one', async () => {
    const packets = await customer.udp()
    expect(await packets.ask(address.world, 8080)).toBe(page)
    for (const neighbour of [address.private, address.metadata, '127.0.0.1'])
      expect(await packets.ask(neighbour, 8080, 700)).toBe(null)
    expect(await packets.ask(address.world, 8080)).toBe(page)
    packets.close()
  })
})

test('without the firewall the second packet arrives', async () => {
  const { hosts } = await ready()
  const secretOfMine = randomUUID()
  await addAccount(hosts.hysteria, 'hysteria', secretOfMine, secretOfMine)
  const customer = await customerAt(hosts.hysteria, server.hysteria, secretOfMine)
  await hosts.hysteria.say('nft flush chain inet kelid output')
  const packets = await customer.udp()
  const got = [await packets.ask(address.world, 8080), await packets.ask(address.private, 8080)]
  packets.close()
  customer.close()
  await hosts.hysteria.say('systemctl reload kelid-firewall')
  expect(got).toEqual([page, secret])
})
