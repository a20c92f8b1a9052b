import { nameOf, type SubscriptionAccount } from './links.ts'

/** Reserved by the configs or built into clients; duplicate names do not load. */
export const groupName = 'Proxy'
export const directName = 'direct'

const reservedNames = new Set([
  groupName.toLowerCase(),
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
