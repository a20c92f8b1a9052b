import { readFile } from 'node:fs/promises'
import type { LogEntry } from './access-log.ts'
import type { Peer } from './cut.ts'
import { replaceFile } from './replace-file.ts'

/** Per account; the oldest connections are dropped first. */
const maxPorts = 512

const keyOf = (address: string, port: number) => `${address} ${port}`

/** Addresses and ports of each account's connections. The core reports new connections but not closed ones. */
export function rememberConnections() {
  const portsByAccount = new Map<string, Map<string, Set<number>>>()
  /** Customers behind one address reuse ports, so the last account to use a port owns it. */
  const owners = new Map<string, string>()

  function drop(id: string, address: string, port: number) {
    portsByAccount.get(id)?.get(address)?.delete(port)
    if (owners.get(keyOf(address, port)) === id) owners.delete(keyOf(address, port))
  }
  function dropAddress(id: string, address: string) {
    for (const port of portsByAccount.get(id)?.get(address) ?? []) drop(id, address, port)
    portsByAccount.get(id)?.delete(address)
    if (portsByAccount.get(id)?.size === 0) portsByAccount.delete(id)
  }
  return {
    note({ id, address, port, isDoubtful }: LogEntry) {
      const owner = owners.get(keyOf(address, port))
      // A forged entry must not take over another account's connection.
      if (owner !== undefined && owner !== id && isDoubtful) return
      if (owner !== undefined) drop(owner, address, port)
      const addresses = portsByAccount.get(id) ?? new Map<string, Set<number>>()
      portsByAccount.set(id, addresses)
      const ports = addresses.get(address) ?? new Set()
      addresses.set(address, ports)
      ports.add(port)
      owners.set(keyOf(address, port), id)
      if (ports.size > maxPorts) drop(id, address, ports.values().next().value as number)
    },
    ownerOf: ({ address, port }: Peer): string | undefined => owners.get(keyOf(address, port)),
    of: (id: string): Peer[] =>
      [...(portsByAccount.get(id) ?? [])].flatMap(([address, ports]) =>
        [...ports].map((port) => ({ address, port })),
      ),
    keepOnly(online: ReadonlyMap<string, Record<string, number>>) {
      for (const [id, addresses] of portsByAccount) {
        const live = online.get(id) ?? {}
        for (const address of [...addresses.keys()]) if (!(address in live)) dropAddress(id, address)
      }
    },
    forget(id: string) {
      for (const address of [...(portsByAccount.get(id)?.keys() ?? [])]) dropAddress(id, address)
    },
    all: (): LogEntry[] =>
      [...portsByAccount].flatMap(([id, addresses]) =>
        [...addresses].flatMap(([address, ports]) => [...ports].map((port) => ({ id, address, port }))),
      ),
    clear() {
      portsByAccount.clear()
      owners.clear()
    },
    count(): number {
      let total = 0
      for (const addresses of portsByAccount.values())
        for (const ports of addresses.values()) total += ports.size
      return total
    },
  }
}
export type Connections = ReturnType<typeof rememberConnections>

/** The file is in memory and survives the agent, so that a restarted agent can still cut these connections. */
export function keepConnections(file: string, connections: Connections) {
  let lastWritten = ''
  return {
    async restore(boot: string): Promise<void> {
      const text = await readFile(file, 'utf8').catch(() => '')
      const stored = text === '' ? null : (JSON.parse(text) as { boot: string; seen: LogEntry[] })
      if (stored?.boot === boot) for (const entry of stored.seen) connections.note(entry)
    },
    async keep(boot: string): Promise<void> {
      const text = JSON.stringify({ boot, seen: connections.all() })
      if (text === lastWritten) return
      await replaceFile(file, text, 0o600)
      lastWritten = text
    },
  }
}
