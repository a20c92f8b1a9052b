import type { Seen } from './access-log.ts'
import type { Peer } from './cut.ts'

/** More than this many connections of one account are not remembered; the oldest are forgotten first. */
const mostPorts = 512

/** By account, the addresses and ports it came from. The core says who comes and not who goes. */
export function rememberConnections() {
  const known = new Map<string, Map<string, Set<number>>>()
  return {
    note({ id, address, port }: Seen) {
      const addresses = known.get(id) ?? new Map<string, Set<number>>()
      known.set(id, addresses)
      const ports = addresses.get(address) ?? new Set()
      addresses.set(address, ports)
      ports.delete(port)
      ports.add(port)
      if (ports.size > mostPorts) ports.delete(ports.values().next().value as number)
    },
    of: (id: string): Peer[] =>
      [...(known.get(id) ?? [])].flatMap(([address, ports]) => [...ports].map((port) => ({ address, port }))),
    /** Where no connection lives any more there is none to be cut. */
    keepOnly(online: ReadonlyMap<string, Record<string, number>>) {
      for (const [id, addresses] of known) {
        const live = online.get(id) ?? {}
        for (const address of addresses.keys())
          if (!(address in live) && !(`[${address}]` in live)) addresses.delete(address)
        if (addresses.size === 0) known.delete(id)
      }
    },
    forget: (id: string) => known.delete(id),
    all: (): Seen[] =>
      [...known].flatMap(([id, addresses]) =>
        [...addresses].flatMap(([address, ports]) => [...ports].map((port) => ({ id, address, port }))),
      ),
    clear: () => known.clear(),
    count(): number {
      let total = 0
      for (const addresses of known.values()) for (const ports of addresses.values()) total += ports.size
      return total
    },
  }
}
export type Connections = ReturnType<typeof rememberConnections>
