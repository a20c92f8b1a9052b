import { createHash } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { Presence } from './connections.ts'
import type { RefusedDevice, Rules } from './core-rules.ts'
import type { Account } from './reconcile.ts'

/** Passes, one per second, until the rules are compared with the core again: it may have restarted. */
const compareEvery = 10

export const refusedOf = (accounts: readonly Account[], now: number): RefusedDevice[] =>
  accounts.flatMap(({ id, refused = [] }) =>
    refused.filter(({ untilDate }) => now < Date.parse(untilDate)).map(({ network }) => ({ id, network })),
  )

const keyOf = ({ id, network }: RefusedDevice): string => `${id} ${network}`

/** Whether the address is part of the network. */
export function isWithin(address: string, network: string): boolean {
  if (!network.endsWith('/64')) return address === network
  const addresses = new BlockList()
  addresses.addSubnet(network.slice(0, -3), 64, 'ipv6')
  return isIPv6(address) && addresses.check(address, 'ipv6')
}

export const isRefused = (devices: readonly RefusedDevice[], { id, address }: Presence): boolean =>
  devices.some((device) => device.id === id && isWithin(address, device.network))

/**
 * Gives the core a rule for each refused device, in front of the rule that lets customers out. Other accounts at that
 * address and other devices of that account notice nothing.
 */
export function createRefuser(core: Rules) {
  let applied: string | null = null
  let passes = 0
  return async (wanted: readonly RefusedDevice[]): Promise<void> => {
    const digest = digestOf(wanted)
    if (passes++ % compareEvery === 0) applied = await core.refusedDigest()
    if (applied === digest) return
    await core.setRefused(digest, wanted)
    applied = digest
  }
}

/** Empty without refused devices, as in a core that has just started. */
const digestOf = (wanted: readonly RefusedDevice[]): string =>
  wanted.length === 0
    ? ''
    : createHash('sha256').update(wanted.map(keyOf).sort().join('\n')).digest('hex').slice(0, 12)
