import type { Finding } from '../vpn-types/vpn-types.ts'

export interface Route<Tunnel, Server> {
  readonly tunnel: Tunnel
  readonly server: Server
  readonly finding: Finding
}

/** The tunnel has done its part if the server behind it answers and cannot reach the internet. */
const arrives = (way: { finding: Finding }) => answers(way) || way.finding.outcome === 'NO_INTERNET'

const answers = (way: { finding: Finding }) => way.finding.outcome === 'ANSWERED'

/** Down only if all tunnels fail to reach it; otherwise the failing tunnel is to blame. */
export function judgeServer<Tunnel extends { name: string }, Server>(
  ways: readonly Route<Tunnel, Server>[],
): Finding {
  const [one] = ways
  if (!one) return { outcome: 'NO_TUNNEL', detail: '' }
  const good = ways.find(answers)
  return good?.finding ?? through(one.finding, one.tunnel.name)
}

/** Down if it reaches no server, or not one that other tunnels reach. */
export function judgeTunnel<Tunnel, Server extends { name: string }>(
  ways: readonly Route<Tunnel, Server>[],
  isReachedByOthers: (server: Server) => boolean,
): Finding {
  const [one] = ways
  if (!one) return { outcome: 'NO_SERVER', detail: '' }
  const good = ways.find(arrives)
  const lost = ways.find((way) => !answers(way) && (!good || isReachedByOthers(way.server)))
  if (!lost) return { outcome: 'ANSWERED', detail: '' }
  return through(lost.finding, lost.server.name)
}

const through = (finding: Finding, name: string): Finding => ({
  ...finding,
  detail: [name, finding.detail].filter(Boolean).join(': '),
})
