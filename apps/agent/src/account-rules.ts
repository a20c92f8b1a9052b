import type { AccountRules, RefusedDevice, Rules } from './core-rules.ts'

/** Passes, one per second, until the rules are compared with the core again. */
const compareEvery = 10

/** Only accounts that the core treats in another way than everybody's. */
export function accountRulesOf(
  refused: readonly RefusedDevice[],
  outbounds: ReadonlyMap<string, string>,
): AccountRules[] {
  const networks = new Map<string, string[]>()
  for (const { id, network } of refused) networks.set(id, [...(networks.get(id) ?? []), network])
  const ids = new Set([...networks.keys(), ...outbounds.keys()])
  return [...ids].map((id) => ({
    ...{ id, refused: (networks.get(id) ?? []).sort(), outbound: outbounds.get(id) ?? '' },
  }))
}

/**
 * Gives the core the rules of single accounts, in front of the rule that lets customers out. Other accounts at a refused
 * address and other devices of that account notice nothing.
 */
export function createRuler(core: Rules) {
  let applied: string | null = null
  let passes = 0
  return {
    /** The core may have restarted. */
    forget(): void {
      applied = null
    },
    async apply(wanted: readonly AccountRules[]): Promise<void> {
      const text = JSON.stringify(wanted)
      if (passes++ % compareEvery !== 0 && applied === text) return
      applied = null
      await core.setAccountRules(wanted)
      applied = text
    },
  }
}
