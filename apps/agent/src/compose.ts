import { isIPv6 } from 'node:net'
import { nodeLimits, type report } from '@kelid/contract'
import type { Own } from './channel.ts'
import type { Bytes } from './core.ts'
import type { Gone } from './enforce.ts'

export type Report = Own<typeof report>

/** What is news since the last report that arrived. */
export interface News {
  readonly applied: ReadonlyMap<string, number>
  readonly usage: ReadonlyMap<string, Bytes>
  readonly online: ReadonlyMap<string, Record<string, number>>
  readonly gone: readonly Gone[]
}

/** All of it in as many reports as it takes; one at least, for the host itself is news. */
export function compose(host: Omit<Report, keyof News>, news: News): Report[] {
  const applied = [...news.applied].map(([id, revision]) => ({ id, revision }))
  const usage = [...news.usage].map(([id, { up, down }]) => ({ id, up, down }))
  const online = [...news.online].map(([id, addresses]) => ({ id, devices: devicesOf(addresses) }))
  const { accounts, gone } = nodeLimits
  const longest = Math.max(applied.length, usage.length, online.length) / accounts
  const count = Math.max(1, Math.ceil(Math.max(longest, news.gone.length / gone)))
  return Array.from({ length: count }, (_, index) => {
    const part = <T>(all: readonly T[], size: number) => all.slice(index * size, (index + 1) * size)
    return {
      ...host,
      applied: part(applied, accounts),
      usage: part(usage, accounts),
      online: part(online, accounts),
      gone: part(news.gone, gone),
    }
  })
}

/** A customer with IPv6 has a whole network of them, and changes within it as it likes. */
export function networkOf(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '')
  if (!isIPv6(bare)) return bare
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return mapped
  const { hostname } = new URL(`http://[${bare}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4)
  return new URL(`http://[${groups.join(':')}::]`).hostname.slice(1, -1)
}

function devicesOf(addresses: Record<string, number>) {
  const latest = new Map<string, number>()
  for (const [address, seconds] of Object.entries(addresses)) {
    const network = networkOf(address)
    latest.set(network, Math.max(seconds, latest.get(network) ?? 0))
  }
  return [...latest]
    .slice(0, nodeLimits.devicesOfAccount)
    .map(([address, seconds]) => ({ address, seenAt: new Date(seconds * 1000).toISOString() }))
}

/** Only what differs from what was told. */
export function newsOf<T>(
  now: ReadonlyMap<string, T>,
  told: ReadonlyMap<string, T>,
  isSame: (a: T, b: T) => boolean = Object.is,
): Map<string, T> {
  return new Map(
    [...now].filter(([id, value]) => {
      const known = told.get(id)
      return known === undefined || !isSame(value, known)
    }),
  )
}
