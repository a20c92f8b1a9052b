import { randomUUID } from 'node:crypto'
import type { Answer, report } from '@kelid/contract'
import type { SaidLease } from './compose.ts'
import type { Bytes } from './core.ts'
import type { List } from './list.ts'
import { type Account, isActive } from './reconcile.ts'
import type { Sample } from './sample.ts'
import type { StateFile } from './state-file.ts'

/** Counts of one account that only grow, over all starts of the core, and the count that it may reach. */
interface Lease {
  frame: string
  spent: number
  until: number
  /** The core's counter up to which `spent` counts. */
  counter: number
  /** What was left when the control plane last answered. */
  granted: number
  /** How much was used up in the last report since then. */
  asked: Need
  /** Bytes per millisecond. */
  rate: number
  /** `spent` as stored. */
  stored: number
}

/** 1: half of the lease is used, 2: all of it. */
type Need = 0 | 1 | 2

export interface StoredLeases {
  readonly boot: string
  readonly leases: readonly [string, Pick<Lease, 'frame' | 'spent' | 'until' | 'counter'>][]
}

/** A host that loses its power gives away at most this much of an account. */
const storeAfterBytes = 8 * 2 ** 20
const storeEvery = 10_000
const nearEnd = 2_000

const totalOf = ({ up, down }: Bytes): number => up + down
const roomOf = ({ spent, until }: Lease): number => until - spent
const needOf = (lease: Lease): Need => {
  const room = roomOf(lease)
  if (room <= 0) return 2
  return room <= lease.granted / 2 ? 1 : 0
}

/**
 * The leases of data of this host's accounts. An account that needs one is let in while its count is below the end of
 * the lease, whether or not the control plane answers.
 */
export async function openLeases(
  file: StateFile<StoredLeases>,
  list: () => List,
  now: () => number,
  passed: () => number = () => performance.now(),
) {
  const stored = await file.restore()
  let boot = stored?.boot ?? ''
  const leases = new Map<string, Lease>()
  for (const [id, lease] of stored?.leases ?? [])
    leases.set(id, { ...lease, granted: roomOf(lease as Lease), asked: 0, rate: 0, stored: lease.spent })
  let isChanged = false
  let storedAt = passed()
  let countedAt = passed()

  function begin(id: string, counter: number): Lease {
    const lease = { frame: randomUUID(), spent: 0, until: 0, granted: 0, asked: 0 as Need }
    isChanged = true
    const all = { ...lease, counter, rate: 0, stored: 0 }
    leases.set(id, all)
    return all
  }
  async function keep(): Promise<void> {
    if (!isChanged) return
    storedAt = passed()
    const state = [...leases].map(
      ([id, { frame, spent, until, counter }]) => [id, { frame, spent, until, counter }] as const,
    )
    const spents = new Map([...leases].map(([id, { spent }]) => [id, spent]))
    isChanged = false
    isChanged = !(await file.keep({ boot, leases: state.map(([id, one]) => [id, one]) })) || isChanged
    for (const [id, lease] of leases) lease.stored = spents.get(id) ?? 0
  }

  const isWanted = (account: Account) => account.isLeased === true && isActive(account, now())
  /** Accounts that somebody may want to use, with what they need. */
  const needs = () => {
    const { accounts, unreported } = list()
    return accounts.flatMap((account) => {
      const lease = leases.get(account.id)
      if (!lease || !isWanted(account) || unreported.includes(account.id)) return []
      return [{ id: account.id, lease, need: needOf(lease) }]
    })
  }

  /** Accounts that have left give back what they did not use. */
  function drop(): void {
    if (list().epoch === '') return
    const listed = new Map(list().accounts.map((account) => [account.id, account]))
    for (const [id, lease] of leases) {
      const account = listed.get(id)
      if (account && !account.isLeased) leases.delete(id)
      else if (!account && lease.until > lease.spent) lease.until = lease.spent
      else continue
      isChanged = true
    }
  }

  return {
    isNeeded: (): boolean => leases.size > 0 || list().accounts.some(({ isLeased }) => isLeased),
    allows({ id, isLeased }: Account): boolean {
      const lease = leases.get(id)
      return !isLeased || (lease !== undefined && roomOf(lease) > 0)
    },
    /** Adds what the core has counted since the last time. Returns whether a lease came to its end. */
    async count({ boot: newBoot, usage }: Pick<Sample, 'boot' | 'usage'>): Promise<boolean> {
      const elapsed = Math.max(1, passed() - countedAt)
      countedAt = passed()
      if (newBoot !== boot) for (const lease of leases.values()) lease.counter = 0
      boot = newBoot
      drop()
      for (const { id, isLeased } of list().accounts)
        if (isLeased && !leases.has(id)) begin(id, totalOf(usage.get(id) ?? { up: 0, down: 0 }))
      let hasEnded = false
      let mostUnstored = 0
      for (const [id, lease] of leases) {
        const counter = totalOf(usage.get(id) ?? { up: 0, down: 0 })
        // A smaller counter is of a core that has just started under a name that is not known yet.
        const growth = Math.max(0, counter - lease.counter)
        lease.rate = growth / elapsed
        if (growth === 0) continue
        const wasOpen = roomOf(lease) > 0
        lease.spent += growth
        lease.counter = counter
        isChanged = true
        mostUnstored = Math.max(mostUnstored, lease.spent - lease.stored)
        if (wasOpen && roomOf(lease) <= 0) hasEnded = true
      }
      if (mostUnstored >= storeAfterBytes || passed() - storedAt >= storeEvery) await keep()
      return hasEnded
    },
    /** Whether the control plane should hear at once that an account needs more. */
    isUrgent: (): boolean => needs().some(({ lease, need }) => need > lease.asked),
    /** Whether an account may come to the end of its lease before the next pass is over. */
    isNearEnd: (): boolean =>
      [...leases.values()].some((lease) => roomOf(lease) > 0 && roomOf(lease) < lease.rate * nearEnd),
    said: (): ReadonlyMap<string, SaidLease> =>
      new Map([...leases].map(([id, { frame, spent, until }]) => [id, { frame, spent, until }])),
    /** They stay in every report, because nothing about them changes until they get more. */
    waiting: (): string[] => needs().flatMap(({ id, need }) => (need === 2 ? [id] : [])),
    markReported(reported: ReadonlyMap<string, SaidLease>): void {
      const listed = new Set(list().accounts.map(({ id }) => id))
      for (const [id, { frame, spent, until }] of reported) {
        const lease = leases.get(id)
        if (lease?.frame !== frame) continue
        lease.asked = needOf({ ...lease, spent, until })
        if (listed.has(id) || lease.spent !== spent || until > spent) continue
        leases.delete(id)
        isChanged = true
      }
    },
    /** Returns whether accounts may come in again, and whether something is given back. */
    take(answers: NonNullable<Answer<typeof report>['leases']>): { opens: boolean; givesBack: boolean } {
      let opens = false
      let givesBack = false
      for (const { id, frame, until } of answers) {
        const lease = leases.get(id)
        if (lease?.frame !== frame) continue
        const before = { until: lease.until, isOpen: roomOf(lease) > 0 }
        lease.until = Math.max(until, lease.spent)
        lease.granted = roomOf(lease)
        lease.asked = 0
        isChanged = true
        opens ||= !before.isOpen && roomOf(lease) > 0
        givesBack ||= lease.until < before.until
      }
      // An account that has left in the meantime gets nothing.
      drop()
      return { opens, givesBack }
    },
    keep,
  }
}
export type Leases = Awaited<ReturnType<typeof openLeases>>
