import { nameOf, type SubscriptionAccount } from './links.ts'

/** Reserved by the configs or built into clients; duplicate names do not load. */
export const groupName = 'Proxy'
export const directName = 'direct'
/** The way that works. */
export const autoName = 'Auto'

/** Reached without the VPN. */
export const homeNetworks = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] as const

const reservedNames = new Set([
  groupName.toLowerCase(),
  autoName.toLowerCase(),
  directName,
  'reject',
  'reject-drop',
  'pass',
  'pass-rule',
  'compatible',
  'global',
  'dns',
  'block',
])

export const proxyNameOf = (account: SubscriptionAccount): string => {
  const name = nameOf(account)
  return reservedNames.has(name.toLowerCase()) ? `${name} VPN` : name
}
