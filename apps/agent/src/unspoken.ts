import type { List } from './list.ts'

/**
 * Accounts that the control plane's list lacks although nobody removed them. In an older or restored database they may be
 * another host's, and a report that speaks of another host's accounts is refused as a whole. What the core has counted for
 * them outlives the permission to drop them, so they stay unspoken until a list has them again.
 */
export function rememberUnspoken() {
  const unspoken = new Set<string>()
  return <T>({ accounts, heldBack }: List, news: ReadonlyMap<string, T>): Map<string, T> => {
    const areHeldBack = new Set(heldBack)
    for (const { id } of accounts) if (!areHeldBack.has(id)) unspoken.delete(id)
    for (const id of areHeldBack) unspoken.add(id)
    return new Map([...news].filter(([id]) => !unspoken.has(id)))
  }
}
