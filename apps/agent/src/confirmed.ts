import type { Core } from './core.ts'

/** A phone that asks for little between two looks is taken to be where it was last seen. */
const rememberFor = 3_600_000

/** By account: its addresses. */
type Online = ReadonlyMap<string, Readonly<Record<string, number>>>

/**
 * Where the core itself has seen each account. The log alone says too little: customers write into it, and whoever is cut by
 * what it says must be confirmed here.
 */
export function createConfirmed(core: Pick<Core, 'onlineOf'>, now: () => number = () => performance.now()) {
  const seen = new Map<string, Map<string, number>>()
  function note(online: Online) {
    for (const [id, addresses] of online) {
      const known = seen.get(id) ?? new Map<string, number>()
      seen.set(id, known)
      for (const address of Object.keys(addresses)) known.set(address, now())
    }
    for (const [id, addresses] of seen) {
      for (const [address, at] of addresses) if (now() - at > rememberFor) addresses.delete(address)
      if (addresses.size === 0) seen.delete(id)
    }
  }
  return {
    note,
    /** As of now, for these accounts. */
    ask: async (ids: ReadonlySet<string>): Promise<void> => note(await core.onlineOf(ids)),
    has: (id: string, address: string): boolean => seen.get(id)?.has(address) ?? false,
  }
}
export type Confirmed = ReturnType<typeof createConfirmed>
