import type { Core } from './core.ts'

/** An idle phone opens no connection between two readings, so it counts as present this long. */
const rememberFor = 3_600_000

type Online = ReadonlyMap<string, Readonly<Record<string, number>>>

/** A log line may be forged, so a connection is cut only if the core itself saw the account at that address. */
export function trackConfirmedAddresses(
  core: Pick<Core, 'onlineOf'>,
  now: () => number = () => performance.now(),
) {
  const addressesByAccount = new Map<string, Map<string, number>>()
  function note(online: Online) {
    for (const [id, addresses] of online) {
      const ownAddresses = addressesByAccount.get(id) ?? new Map<string, number>()
      addressesByAccount.set(id, ownAddresses)
      for (const address of Object.keys(addresses)) ownAddresses.set(address, now())
    }
    for (const [id, addresses] of addressesByAccount) {
      for (const [address, at] of addresses) if (now() - at > rememberFor) addresses.delete(address)
      if (addresses.size === 0) addressesByAccount.delete(id)
    }
  }
  return {
    note,
    ask: async (ids: ReadonlySet<string>): Promise<void> => note(await core.onlineOf(ids)),
    has: (id: string, address: string): boolean => addressesByAccount.get(id)?.has(address) ?? false,
  }
}
export type ConfirmedAddresses = ReturnType<typeof trackConfirmedAddresses>
