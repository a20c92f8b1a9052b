import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Peer {
  readonly address: string
  readonly port: number
}

const atOnce = 100
/** Longer than the core's timeout for a silent QUIC connection (15 s), so that the block outlasts it. */
const silentFor = '30s'

/** Some fields come from another host and become arguments of a command. */
const isPeer = ({ address, port }: Peer): boolean =>
  isIP(address) !== 0 && Number.isInteger(port) && port > 0 && port <= 65_535

/**
 * Ends TCP connections of these peers to one port only, because the exit that reported them may be compromised.
 * Returns how many it closed. `ss` exits with 0 even when refused, so the error output is checked.
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
      throw new Error('cannot close connections on this host: CAP_NET_ADMIN is missing')
    count += stdout.split('\n').filter((text) => text.trim() !== '').length
  }
  return count
}

/** Drops packets of these peers for a while, because nothing can close a QUIC connection from outside. */
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
