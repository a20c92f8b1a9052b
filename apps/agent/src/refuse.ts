import { BlockList, isIPv6 } from 'node:net'
import type { Presence } from './connections.ts'
import type { RefusedDevice } from './core-rules.ts'
import type { Account } from './reconcile.ts'

export const refusedOf = (accounts: readonly Account[], now: number): RefusedDevice[] =>
  accounts.flatMap(({ id, refused = [] }) =>
    refused.filter(({ untilDate }) => now < Date.parse(untilDate)).map(({ network }) => ({ id, network })),
  )

/** Whether the address is part of the network. */
export function isWithin(address: string, network: string): boolean {
  if (!network.endsWith('/64')) return address === network
  const addresses = new BlockList()
  addresses.addSubnet(network.slice(0, -3), 64, 'ipv6')
  return isIPv6(address) && addresses.check(address, 'ipv6')
}

export const isRefused = (devices: readonly RefusedDevice[], { id, address }: Presence): boolean =>
  devices.some((device) => device.id === id && isWithin(address, device.network))
