import { isIPv4, isIPv6 } from 'node:net'

const mappedIPv4 = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/

/** The canonical form for storing, showing and comparing; null for any other text. */
export function readAddress(text: string | undefined): string | null {
  if (text === undefined || isIPv4(text)) return text ?? null
  if (!isIPv6(text)) return null
  const withoutZone = text.replace(/%.*$/, '')
  const address = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [, high, low] = mappedIPv4.exec(address) ?? []
  return high && low ? [high, low].flatMap(bytesOf).join('.') : address
}

const bytesOf = (group: string): number[] => {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 255]
}

/** Identifies a visitor. A user has a whole /64 of IPv6 addresses and can change among them. */
export const networkOf = (address: string): string =>
  address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address

function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}
