import { rename } from 'node:fs/promises'
import type { Answer, desired } from '@kelid/contract'
import { keepList, type List, merge, noList, readList } from './list.ts'
import { reasonOf } from './retry.ts'

/** `allowed`: an administrator has approved the removals, so the list must be sent again. */
export type Outcome = 'unchanged' | 'taken' | 'allowed'

export async function openListKeeper(file: string, say: (line: string) => void) {
  const stored = await readList(file).catch(async (error) => {
    say(`cannot read the stored list, requesting it again: ${reasonOf(error)}`)
    await rename(file, `${file}.broken`)
    return { ...noList, time: 0 }
  })
  const { time: storedTime, ...keptList } = stored
  let list: List = keptList
  /** The list still applies from memory if the disk is full. */
  const keep = (now: number) =>
    list.epoch === ''
      ? Promise.resolve()
      : keepList(file, list, now).catch((error) => say(`cannot store the list: ${reasonOf(error)}`))
  return {
    list: () => list,
    refused: () => list.refused,
    timeKept: storedTime,
    async take(answer: Answer<typeof desired>, now: number): Promise<Outcome> {
      const { epoch, number, digest, removed, accounts, mayShrink } = answer
      if (accounts === null) return mayShrink && list.refused !== '' ? 'allowed' : 'unchanged'
      const before = list
      list = merge(before, { epoch, number, digest, removed, accounts }, mayShrink)
      const count = list.heldBack.length
      if (list.refused !== before.refused || count > before.heldBack.length)
        say(
          list.refused === ''
            ? `the whole list is applied again: ${accounts.length} accounts`
            : `the list is ${list.refused}: ${count} accounts that nobody removed stay, the rest is applied`,
        )
      await keep(now)
      return 'taken'
    },
    /** Stores the current time too, so that the clock continues after a restart. */
    keep,
  }
}
