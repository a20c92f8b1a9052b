import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Peer {
  readonly address: string
  readonly port: number
}

const atOnce = 100
/** Longer than the core waits for a silent QUIC connection (15 s), so that it is gone when packets are let through again. */
const silentFor = '30s'

/** Some of it comes from elsewhere and becomes the words of a command. */
const isPeer = ({ address, port }: Peer): boolean =>
  isIP(address) !== 0 && Number.isInteger(port) && port > 0 && port <= 65_535

/**
 * Ends TCP connections that these peers have to a port of this host, and no others: an exit said who they are, and it may
 * be in other hands. Says how many were there. The program ends with 0 even when it was refused; then only its other output
 * tells.
 */
export async function cutTcp(peers: readonly Peer[], port: string): Promise<number> {
  let count = 0
  for (const part of parts(peers.filter(isPeer))) {
    const words = part.flatMap((peer, index) => [
      ...(index > 0 ? ['or'] : []),
      ...['(', 'dst', isIP(peer.address) === 6 ? `[${peer.address}]` : peer.address],
      ...['and', 'dport', '=', `:${peer.port}`, ')'],
    ])
    const filter = ['sport', '=', `:${port}`, 'and', '(', ...words, ')']
    const { stdout, stderr } = await run('/usr/bin/ss', ['-HtK', ...filter], { timeout: 5_000 })
    if (/SOCK_DESTROY/.test(stderr))
      throw new Error('connections cannot be ended on this host: no CAP_NET_ADMIN')
    count += stdout.split('\n').filter((text) => text.trim() !== '').length
  }
  return count
}

/** Nothing more comes in from these peers for a while: QUIC has no connection that could be closed. */
export async function cutUdp(table: string, peers: readonly Peer[]): Promise<void> {
  for (const [set, family] of [
    ['cut4', 4],
    ['cut6', 6],
  ] as const)
    for (const part of parts(peers.filter((peer) => isPeer(peer) && isIP(peer.address) === family))) {
      const elements = part.map(({ address, port }) => `${address} . ${port} timeout ${silentFor}`)
      const rule = `{ ${elements.join(', ')} }`
      await run('/usr/sbin/nft', ['add', 'element', 'inet', table, set, rule], { timeout: 5_000 })
    }
}

function* parts(peers: readonly Peer[]): Generator<readonly Peer[]> {
  for (let start = 0; start < peers.length; start += atOnce) yield peers.slice(start, start + atOnce)
}
