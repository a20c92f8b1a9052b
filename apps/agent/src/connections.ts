import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { LogEntry } from './access-log.ts'
import { PortSet } from './ports.ts'
import { reasonOf } from './retry.ts'

/** An account at an address of its customers. */
export interface Presence {
  readonly id: string
  readonly address: string
}

interface Seen {
  ports: PortSet
  newest: number
  /** The core's online list has had the account at this address. The access log may be forged. */
  isConfirmed: boolean
}

type Online = ReadonlyMap<string, Readonly<Record<string, number>>>

/** Where each account has connected from. The core reports new connections but not closed ones. */
export function rememberConnections() {
  /** Address, then account. */
  const seenAt = new Map<string, Map<string, Seen>>()

  function* all(): Generator<[Presence, Seen]> {
    for (const [address, accounts] of seenAt) for (const [id, seen] of accounts) yield [{ id, address }, seen]
  }
  function put({ id, address }: Presence, seen: Seen): Seen {
    const accounts = seenAt.get(address) ?? new Map<string, Seen>()
    seenAt.set(address, accounts.set(id, seen))
    return seen
  }
  function drop({ id, address }: Presence) {
    seenAt.get(address)?.delete(id)
    if (seenAt.get(address)?.size === 0) seenAt.delete(address)
  }
  const of = ({ id, address }: Presence) => seenAt.get(address)?.get(id)

  /** Customers behind one address reuse ports, so the last account to use a port owns it. */
  function note({ id, address, port, isDoubtful }: LogEntry) {
    for (const [other, { ports }] of seenAt.get(address) ?? []) {
      if (other === id || !ports.has(port)) continue
      // A forged entry must not take over another account's connection.
      if (isDoubtful) return
      ports.delete(port)
    }
    const fresh = () => ({ ports: new PortSet(), newest: port, isConfirmed: false })
    const seen = of({ id, address }) ?? put({ id, address }, fresh())
    seen.ports.add(port)
    seen.newest = port
  }
  return {
    note,
    of,
    ownerOf(address: string, port: number): string | undefined {
      for (const [id, { ports }] of seenAt.get(address) ?? []) if (ports.has(port)) return id
      return undefined
    },
    confirmedOf: (ids: ReadonlySet<string>): Presence[] =>
      [...all()]
        .filter(([{ id }, { isConfirmed }]) => isConfirmed && ids.has(id))
        .map(([presence]) => presence),
    /** Forgets addresses that accounts have left. Where the ports in use are known, only those stay, online or idle. */
    prune(online: Online, portsInUse: ReadonlyMap<string, readonly number[]> | null) {
      for (const [presence, seen] of all()) {
        const isOnline = presence.address in (online.get(presence.id) ?? {})
        seen.isConfirmed ||= isOnline
        const inUse = portsInUse && (portsInUse.get(presence.address) ?? [])
        const own = inUse?.filter((port) => seen.ports.has(port)) ?? []
        if (inUse) seen.ports = new PortSet(own)
        if (!isOnline && own.length === 0) drop(presence)
      }
    },
    /** The file is in memory and survives the agent, so that a restarted agent can still cut these connections. */
    store(file: string, say: (line: string) => void) {
      const stored = [...all()].map(([presence, { ports, ...rest }]) => ({
        ...{ ...presence, ...rest, ports: ports.encode() },
      }))
      try {
        writeFileSync(`${file}.new`, JSON.stringify(stored), { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch (error) {
        say(`cannot store connections: ${reasonOf(error)}`)
      }
    },
    restore(file: string) {
      try {
        const stored = JSON.parse(readFileSync(file, 'utf8'))
        // Earlier agents stored a list of ports.
        if (Array.isArray(stored.seen)) for (const entry of stored.seen) note(entry)
        else
          for (const { id, address, ports, newest, isConfirmed } of stored)
            put({ id, address }, { ports: PortSet.decode(ports) ?? new PortSet(), newest, isConfirmed })
      } catch {
        // The host has started since, or a write was interrupted.
      }
    },
  }
}
export type Connections = ReturnType<typeof rememberConnections>
