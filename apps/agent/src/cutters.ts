import type { Connections, Presence } from './connections.ts'
import {
  blockSeconds,
  blockUdp,
  cutTcp,
  cutUdp,
  dropSeconds,
  liveUdp,
  type Peer,
  releaseUdp,
  unblockUdp,
} from './cut.ts'

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

type Live = ReadonlyMap<string, readonly number[]>
const portsIn = (peers: readonly Peer[]) => new Set(peers.map(({ port }) => port))

function once<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>()
  return (key) => {
    if (!found.has(key)) found.set(key, find(key))
    return found.get(key) as Value
  }
}

const keyOf = ({ id, address }: Presence) => `${id} ${address}`

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

  /** For an older firewall, which does not record who is live. */
  const ownPorts = (presences: readonly Presence[]): Live => {
    const live = new Map<string, number[]>()
    for (const presence of presences)
      live.set(presence.address, [
        ...(live.get(presence.address) ?? []),
        ...(connections.of(presence)?.ports.list() ?? []),
      ])
    return live
  }
  /** At one address there may be hundreds of accounts, so each port's owner is looked up once. */
  function freePortsByOwner(live: Live) {
    const droppedAt = once((address: string) => portsIn(dropped.filter((one) => one.address === address)))
    return once((address: string) => {
      const byOwner = new Map<string | undefined, number[]>()
      for (const port of live.get(address) ?? []) {
        if (droppedAt(address).has(port)) continue
        const owner = connections.ownerOf(address, port)
        const ports = byOwner.get(owner)
        if (ports) ports.push(port)
        else byOwner.set(owner, [port])
      }
      return byOwner
    })
  }
  return {
    async cut(online, idle = []) {
      dropped = dropped.filter(({ at }) => now() - at < dropSeconds * 1000)
      if (online.length + idle.length === 0) return
      const live = (await liveUdp(table)) ?? ownPorts([...online, ...idle])
      const freePorts = freePortsByOwner(live)
      const waiting = new Set(dropped.filter(({ at }) => now() - at < idleFor).map(keyOf))
      const portsOf = (presence: Presence, isOnline: boolean): readonly number[] => {
        const byOwner = freePorts(presence.address)
        const own = byOwner.get(presence.id) ?? []
        const isSettled = own.length > 0 || waiting.has(keyOf(presence)) || !isOnline
        return isSettled ? own : (byOwner.get(undefined) ?? [])
      }
      const peersAt = (isOnline: boolean) => (presence: Presence) =>
        portsOf(presence, isOnline).map((port) => ({ ...presence, port, at: now() }))
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

/**
 * For apps that change ports: an app that was dropped at one port would go on at its next one, from another port of its
 * own. So its whole address is blocked until the connection is dead. Connections of other accounts there stay, as long as
 * they do not hop.
 */
export function createHopCutter(
  table: string,
  connections: Pick<Connections, 'of' | 'ownerOf'>,
  now: () => number = () => performance.now(),
): Cutter {
  const cutter = createUdpCutter(table, connections, now)
  let blocked: (Presence & { at: number })[] = []
  return {
    async cut(online, idle) {
      blocked = blocked.filter(({ at }) => now() - at < blockSeconds * 1000)
      const isBlocked = new Set(blocked.map(keyOf))
      const presences = online.filter((presence) => !isBlocked.has(keyOf(presence)))
      if (presences.length > 0) {
        const ids = new Set(online.map(({ id }) => id))
        const addresses = [...new Set(presences.map(({ address }) => address))]
        const live = (await liveUdp(table)) ?? new Map<string, number[]>()
        const kept = addresses.flatMap((address) =>
          (live.get(address) ?? [])
            .filter((port) => {
              const owner = connections.ownerOf(address, port)
              return owner !== undefined && !ids.has(owner)
            })
            .map((port) => ({ address, port })),
        )
        await blockUdp(table, addresses, kept)
        blocked.push(...presences.map((presence) => ({ ...presence, at: now() })))
      }
      await cutter.cut(online, idle)
    },
    async release(ids) {
      const released = blocked.filter(({ id }) => ids.has(id))
      await unblockUdp(table, [...new Set(released.map(({ address }) => address))])
      blocked = blocked.filter(({ id }) => !ids.has(id))
      await cutter.release(ids)
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
