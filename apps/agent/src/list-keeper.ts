import { rename } from 'node:fs/promises'
import type { Answer, desired } from '@kelid/contract'
import { keepList, type List, merge, noList, readList } from './list.ts'
import { reasonOf } from './retry.ts'

/** `allowed`: an administrator has allowed what was held back, and the list has to be sent again for it. */
export type Outcome = 'unchanged' | 'taken' | 'allowed'

/** The list that counts on this host, on its disk and in its memory. */
export async function openListKeeper(file: string, say: (line: string) => void) {
  const kept = await readList(file).catch(async (error) => {
    say(`the list that was kept cannot be read, and is asked for anew: ${reasonOf(error)}`)
    await rename(file, `${file}.broken`)
    return { ...noList, time: 0 }
  })
  const { time: timeKept, ...keptList } = kept
  let list: List = keptList
  /** A full disk is no reason to let in whoever was put out. */
  const keep = (now: number) =>
    list.epoch === ''
      ? Promise.resolve()
      : keepList(file, list, now).catch((error) => say(`the list cannot be kept: ${reasonOf(error)}`))
  return {
    list: () => list,
    refused: () => list.refused,
    timeKept,
    async take(answer: Answer<typeof desired>, now: number): Promise<Outcome> {
      const { epoch, number, digest, removed, accounts, mayShrink } = answer
      if (accounts === null) return mayShrink && list.refused !== '' ? 'allowed' : 'unchanged'
      const before = list
      list = merge(before, { epoch, number, digest, removed, accounts }, mayShrink)
      const count = list.heldBack.length
      if (list.refused !== before.refused || count > before.heldBack.length)
        say(
          list.refused === ''
            ? `the list is taken whole again: ${accounts.length} accounts`
            : `the list is ${list.refused}: ${count} accounts that nobody removed stay, the rest is applied`,
        )
      await keep(now)
      return 'taken'
    },
    /** Again, with the time that has passed: after a restart it goes on from there. */
    keep,
  }
}
