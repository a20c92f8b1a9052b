import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { PortSet } from './ports.ts'

const run = promisify(execFile)

export interface Peer {
  readonly address: string
  readonly port: number
}

export interface Order {
  readonly address: string
  readonly ports: Pick<PortSet, 'has'>
}

const atOnce = 500
/** Longer than the core's timeout for a silent QUIC connection (15 s), so that the block outlasts it. */
export const dropSeconds = 30
const options = { timeout: 5_000, maxBuffer: 64 * 1024 * 1024 }

/**
 * Ends the TCP connections to one port that the orders name, and no others, because the exit that gave them may be
 * compromised. Only live connections are named to the kernel: each dead one would cost as much. Returns how many it
 * closed. `ss` exits with 0 even when refused, so the error output is checked.
 */
export async function cutTcp(orders: readonly Order[], port: string): Promise<number> {
  const ordersByAddress = new Map<string, Order[]>()
  for (const order of orders)
    ordersByAddress.set(order.address, [...(ordersByAddress.get(order.address) ?? []), order])
  // Without a state, `ss` lists half-closed connections too; a customer can still download through one.
  const { stdout } = await run('/usr/bin/ss', ['-Htn', 'sport', '=', `:${port}`], options)
  const peers = [...stdout.matchAll(/ (\S+):(\d+)\s*$/gm)].map(([, text = '', digits]) => ({
    ...{ text, port: Number(digits), address: text.replace(/^\[(?:::ffff:(?=[\d.]+\]))?|\]$/g, '') },
  }))
  const named = peers.filter((peer) =>
    ordersByAddress.get(peer.address)?.some(({ ports }) => ports.has(peer.port)),
  )
  let count = 0
  for (const part of parts(named)) {
    const words = part.flatMap((peer, index) => [
      ...(index > 0 ? ['or'] : []),
      ...['(', 'dst', peer.text, 'and', 'dport', '=', `:${peer.port}`, ')'],
    ])
    const filter = ['sport', '=', `:${port}`, 'and', '(', ...words, ')']
    const { stdout: closed, stderr } = await run('/usr/bin/ss', ['-HtK', ...filter], options)
    if (/SOCK_DESTROY/.test(stderr))
      throw new Error('cannot close connections on this host: CAP_NET_ADMIN is missing')
    count += closed.split('\n').filter((line) => line.trim() !== '').length
  }
  return count
}

const families = [4, 6] as const
const nft = (...words: string[]) => run('/usr/sbin/nft', words, options)

/** The UDP clients that the core has answered within its timeout, by address. Null if the firewall is older. */
export async function liveUdp(table: string): Promise<Map<string, number[]> | null> {
  const portsByAddress = new Map<string, number[]>()
  for (const family of families) {
    const list = ['list', 'set', 'inet', table, `live${family}`]
    const stdout = await nft(...list).then(
      (ended) => ended.stdout,
      () => null,
    )
    if (stdout === null) return null
    for (const [, address = '', port] of stdout.matchAll(/([0-9a-f.:]+) \. (\d+) expires/g))
      portsByAddress.set(address, [...(portsByAddress.get(address) ?? []), Number(port)])
  }
  return portsByAddress
}

/** Drops packets of these peers for a while, because nothing can close a QUIC connection from outside. */
export const cutUdp = (table: string, peers: readonly Peer[]): Promise<void> =>
  changeDrops(table, peers, (set, elements) => {
    const expiring = elements.map((element) => `${element} timeout ${dropSeconds}s`)
    return `add element ${set} { ${expiring.join(', ')} }`
  })

/** Adds first, because deleting an element that has expired would fail. */
export const releaseUdp = (table: string, peers: readonly Peer[]): Promise<void> =>
  changeDrops(table, peers, (set, elements) => {
    const words = `element ${set} { ${elements.join(', ')} }`
    return `add ${words}; delete ${words}`
  })

async function changeDrops(
  table: string,
  peers: readonly Peer[],
  command: (set: string, elements: readonly string[]) => string,
): Promise<void> {
  for (const family of families)
    for (const part of parts(peers.filter(({ address }) => isIP(address) === family))) {
      const elements = part.map(({ address, port }) => `${address} . ${port}`)
      await nft(command(`inet ${table} cut${family}`, elements))
    }
}

/** Longer than the core's timeout, after which the connection is dead wherever the app hops. */
export const blockSeconds = 20

/**
 * Drops everything from these addresses for a while, except what comes from the ports that are kept: an app that changes
 * ports would go on at its next one.
 */
export async function blockUdp(
  table: string,
  addresses: readonly string[],
  kept: readonly Peer[],
): Promise<void> {
  const expiring = (element: string) => `${element} timeout ${blockSeconds}s`
  for (const family of families) {
    const isOfFamily = (address: string) => isIP(address) === family
    const peers = kept.filter(({ address }) => isOfFamily(address))
    for (const part of parts(peers))
      await addTo(
        `inet ${table} kept${family}`,
        part.map(({ address, port }) => expiring(`${address} . ${port}`)),
      )
    for (const part of parts(addresses.filter(isOfFamily)))
      await addTo(`inet ${table} blocked${family}`, part.map(expiring))
  }
}

const addTo = (set: string, elements: readonly string[]) =>
  nft(`add element ${set} { ${elements.join(', ')} }`)

/** Adds first, because deleting an element that has expired would fail. */
export async function unblockUdp(table: string, addresses: readonly string[]): Promise<void> {
  for (const family of families)
    for (const part of parts(addresses.filter((address) => isIP(address) === family))) {
      const words = `element inet ${table} blocked${family} { ${part.join(', ')} }`
      await nft(`add ${words}; delete ${words}`)
    }
}

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += atOnce) yield all.slice(start, start + atOnce)
}
