import type { Finding } from '../vpn-types/vpn-types.ts'

/** One way of a tunnelled customer: in by a tunnel, out by a server. */
export interface Way<Tunnel, Server> {
  readonly tunnel: Tunnel
  readonly server: Server
  readonly finding: Finding
}

const answers = (way: { finding: Finding }) => way.finding.outcome === 'ANSWERED'

/** Down only when no tunnel leads to it any more: what one of several fails at is that one's. */
export function judgeServer<Tunnel extends { name: string }, Server>(
  ways: readonly Way<Tunnel, Server>[],
): Finding {
  const [one] = ways
  if (!one) return { outcome: 'NO_TUNNEL', detail: '' }
  const good = ways.find(answers)
  return good?.finding ?? through(one.finding, one.tunnel.name)
}

/**
 * Down when it leads nowhere, or not to a server that others lead to. A server that nobody reaches is not held against a
 * tunnel that reaches another.
 */
export function judgeTunnel<Tunnel, Server extends { name: string }>(
  ways: readonly Way<Tunnel, Server>[],
  isReachedByOthers: (server: Server) => boolean,
): Finding {
  const [one] = ways
  if (!one) return { outcome: 'NO_SERVER', detail: '' }
  const good = ways.find(answers)
  const lost = ways.find((way) => !answers(way) && (!good || isReachedByOthers(way.server)))
  if (!lost) return { outcome: 'ANSWERED', detail: '' }
  return through(lost.finding, lost.server.name)
}

/** The name of the other end, before what was heard. */
const through = (finding: Finding, name: string): Finding => ({
  ...finding,
  detail: [name, finding.detail].filter(Boolean).join(': '),
})
