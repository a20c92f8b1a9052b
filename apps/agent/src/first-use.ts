import type { Clock } from './clock.ts'
import type { List } from './list.ts'
import type { Account } from './reconcile.ts'
import type { Sample } from './sample.ts'
import type { StateFile } from './state-file.ts'

interface FirstUse {
  readonly startsBy: string
  /** By the agent's clock. */
  readonly at: number
}
export type StoredFirstUses = readonly [string, FirstUse][]

const storeAgainAfter = 10_000

/** Days that begin at first use begin here with the first byte, whether or not the control plane answers. */
export async function openFirstUses(
  file: StateFile<StoredFirstUses>,
  list: () => List,
  clock: Pick<Clock, 'now'>,
  passed: () => number = () => performance.now(),
) {
  const uses = new Map(await file.restore())
  let isChanged = false
  let triedAt = Number.NEGATIVE_INFINITY
  const useOf = ({ id, startsBy }: Account): FirstUse | undefined => {
    const use = uses.get(id)
    return use?.startsBy === startsBy ? use : undefined
  }
  const isWaiting = (account: Account) => account.startsBy !== undefined && !useOf(account)

  async function keep(isUrgent: boolean): Promise<void> {
    if (!isChanged || (!isUrgent && passed() - triedAt < storeAgainAfter)) return
    triedAt = passed()
    isChanged = !(await file.keep([...uses]))
  }
  return {
    isWaiting: (): boolean => list().accounts.some(isWaiting),
    /** Returns whether days have begun. */
    async look({ usage }: Pick<Sample, 'usage'>): Promise<boolean> {
      const { epoch, accounts } = list()
      const listed = new Set(accounts.map(({ id }) => id))
      // A restored control plane may have forgotten that the days have begun, so they stay as long as the account.
      for (const id of epoch === '' ? [] : uses.keys())
        if (!listed.has(id)) isChanged = uses.delete(id) || isChanged
      const begun = accounts.filter((account) => {
        const { up, down } = usage.get(account.id) ?? { up: 0, down: 0 }
        return isWaiting(account) && up + down > 0
      })
      for (const { id, startsBy = '' } of begun) uses.set(id, { startsBy, at: clock.now() })
      isChanged ||= begun.length > 0
      await keep(begun.length > 0)
      return begun.length > 0
    },
    /** `expiresAt` counts from the latest beginning. */
    endOf(account: Account): string {
      const use = useOf(account)
      if (!use) return account.expiresAt
      const early = Math.max(0, Date.parse(use.startsBy) - use.at)
      return new Date(Date.parse(account.expiresAt) - early).toISOString()
    },
    /** First uses that the list does not show yet; their age, because clocks differ. */
    said: (): ReadonlyMap<string, number> =>
      new Map(
        list().accounts.flatMap((account) => {
          const use = useOf(account)
          return use ? [[account.id, Math.max(0, clock.now() - use.at)] as const] : []
        }),
      ),
  }
}
export type FirstUses = Awaited<ReturnType<typeof openFirstUses>>
