import { nodeLimits, type report } from '@kelid/contract'
import type { OwnFields } from './channel.ts'
import type { Bytes } from './core.ts'
import type { RelayOrder } from './cutters.ts'

export type Report = OwnFields<typeof report>

export type SaidLease = Omit<NonNullable<Report['leases']>[number], 'id'>

export interface Changes {
  readonly applied: ReadonlyMap<string, number>
  readonly usage: ReadonlyMap<string, Bytes>
  readonly online: ReadonlyMap<string, Record<string, number>>
  readonly gone: readonly RelayOrder[]
  /** null: the control plane does not understand them. */
  readonly leases: ReadonlyMap<string, SaidLease> | null
  /** The age of each first use. */
  readonly begun: ReadonlyMap<string, number> | null
}

/** Splits the changes into reports of limited size; there is always one, because it carries the host's own state. */
export function compose(host: Omit<Report, keyof Changes>, news: Changes): Report[] {
  const applied = [...news.applied].map(([id, revision]) => ({ id, revision }))
  const usage = [...news.usage].map(([id, { up, down }]) => ({ id, up, down }))
  const online = [...news.online].map(([id, addresses]) => ({ id, devices: devicesOf(addresses) }))
  const leases = [...(news.leases ?? [])].map(([id, lease]) => ({ id, ...lease }))
  const begun = [...(news.begun ?? [])].map(([id, age]) => ({ id, at: ago(age) }))
  const { accounts } = nodeLimits
  const gone = partsOf(news.gone)
  const lists = [applied, usage, online, leases, begun]
  const longest = Math.max(...lists.map(({ length }) => length)) / accounts
  const count = Math.max(1, Math.ceil(Math.max(longest, gone.length)))
  return Array.from({ length: count }, (_, index) => {
    const part = <T>(all: readonly T[], size: number) => all.slice(index * size, (index + 1) * size)
    return {
      ...host,
      applied: part(applied, accounts),
      usage: part(usage, accounts),
      online: part(online, accounts),
      gone: gone[index] ?? [],
      ...(news.leases && { leases: part(leases, accounts) }),
      ...(news.begun && { begun: part(begun, accounts) }),
    }
  })
}

/** By the machine's clock, as the time of the report. */
const ago = (age: number) => new Date(Date.now() - age).toISOString()

/** An order for many ports is long; most are short. */
function partsOf(orders: readonly RelayOrder[]): RelayOrder[][] {
  const parts: RelayOrder[][] = []
  let room = 0
  for (const order of orders) {
    room -= order.ports.length
    if (room < 0 || parts.at(-1)?.length === nodeLimits.accounts) {
      parts.push([])
      room = nodeLimits.portsTexts - order.ports.length
    }
    parts.at(-1)?.push(order)
  }
  return parts
}

/** The control plane decides which addresses are one device. */
const devicesOf = (addresses: Record<string, number>) =>
  Object.entries(addresses)
    .slice(0, nodeLimits.devicesOfAccount)
    .map(([address, seconds]) => ({
      address,
      seenAt: new Date(seconds * 1000).toISOString(),
    }))

export function changedSince<T>(
  now: ReadonlyMap<string, T>,
  reported: ReadonlyMap<string, T>,
  isSame: (a: T, b: T) => boolean = Object.is,
): Map<string, T> {
  return new Map(
    [...now].filter(([id, value]) => {
      const reportedValue = reported.get(id)
      return reportedValue === undefined || !isSame(value, reportedValue)
    }),
  )
}
