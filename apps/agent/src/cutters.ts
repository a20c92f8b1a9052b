import type { Connections, Presence } from './connections.ts'
import { cutTcp, cutUdp, dropSeconds, liveUdp, type Peer, releaseUdp } from './cut.ts'

/** Ends the connections of accounts at addresses. */
export interface Cutter {
  /** Called in each pass with everything that is to be cut until it is offline, and with idle accounts once. */
  cut(online: readonly Presence[], idle?: readonly Presence[]): Promise<void>
  /** Lets these accounts in again at once. */
  release(ids: ReadonlySet<string>): Promise<void>
}

export const createTcpCutter = (
  connections: Pick<Connections, 'of'>,
  port: () => Promise<string>,
): Cutter => ({
  async cut(presences) {
    const orders = presences.map((presence) => ({
      ...{ address: presence.address, ports: connections.of(presence)?.ports ?? new Set<number>() },
    }))
    if (orders.length > 0) await cutTcp(orders, await port())
  },
  release: async () => {},
})

interface Dropped extends Presence, Peer {
  readonly at: number
}

/** A dropped connection stays in the online list until the core's timeout if nothing is sent on it. */
const idleFor = 16_000

/**
 * UDP that customers send is not in the access log. So if an account is still online although none of its known
 * connections is live, the live connections at its address that no account owns are taken for its own.
 */
export function createUdpCutter(
  table: string,
  connections: Pick<Connections, 'of' | 'ownerOf'>,
  now: () => number = () => performance.now(),
): Cutter {
  let dropped: Dropped[] = []

  function peersOf({ id, address }: Presence, live: readonly number[], isOnline: boolean): Dropped[] {
    const here = dropped.filter((one) => one.address === address)
    const rest = live.filter((port) => !here.some((one) => one.port === port))
    const ownedBy = (owner?: string) => rest.filter((port) => connections.ownerOf(address, port) === owner)
    const own = ownedBy(id)
    const isWaiting = here.some((one) => one.id === id && now() - one.at < idleFor)
    const ports = own.length > 0 || isWaiting || !isOnline ? own : ownedBy(undefined)
    return ports.map((port) => ({ id, address, port, at: now() }))
  }
  return {
    async cut(online, idle = []) {
      dropped = dropped.filter(({ at }) => now() - at < dropSeconds * 1000)
      if (online.length + idle.length === 0) return
      const live = await liveUdp(table)
      const portsAt = (presence: Presence) =>
        live ? (live.get(presence.address) ?? []) : (connections.of(presence)?.ports.list() ?? [])
      const peersAt = (isOnline: boolean) => (presence: Presence) =>
        peersOf(presence, portsAt(presence), isOnline)
      const peers = [...online.flatMap(peersAt(true)), ...idle.flatMap(peersAt(false))]
      await cutUdp(table, peers)
      dropped.push(...peers)
    },
    async release(ids) {
      const released = dropped.filter(({ id }) => ids.has(id))
      await releaseUdp(table, released)
      dropped = dropped.filter(({ id }) => !ids.has(id))
    },
  }
}

export interface RelayOrder extends Presence {
  /** For agents of tunnels that do not know `ports`. */
  readonly port: number
  readonly ports: string
}

/** The relay may have been away; the control plane sends an order for twice as long. */
const repeatAfter = 30_000

/** For customers who are connected to a relay: its agent cuts, and the control plane passes the orders on. */
export function createRelayCutter(
  connections: Pick<Connections, 'of'>,
  now: () => number = () => performance.now(),
) {
  let presences: readonly Presence[] = []
  const delivered = new Map<string, { newest: number; at: number }>()
  const keyOf = ({ id, address }: Presence) => `${id} ${address}`
  const isDue = (presence: Presence) => {
    const before = delivered.get(keyOf(presence))
    const newest = connections.of(presence)?.newest
    return newest !== undefined && (before?.newest !== newest || now() - before.at >= repeatAfter)
  }
  return {
    async cut(all: readonly Presence[]) {
      presences = all
      const keys = new Set(all.map(keyOf))
      for (const key of delivered.keys()) if (!keys.has(key)) delivered.delete(key)
    },
    release: async () => {},
    isDue: () => presences.some(isDue),
    /** Composed when they are sent, so an order is never older than the report that carries it. */
    orders: (): RelayOrder[] =>
      presences.filter(isDue).flatMap((presence) => {
        const seen = connections.of(presence)
        return seen ? [{ ...presence, port: seen.newest, ports: seen.ports.encode() }] : []
      }),
    markDelivered(orders: readonly RelayOrder[]) {
      for (const order of orders) delivered.set(keyOf(order), { newest: order.port, at: now() })
    },
  }
}
export type RelayCutter = ReturnType<typeof createRelayCutter>
