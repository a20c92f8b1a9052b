import { rename } from 'node:fs/promises'
import type { Answer, desired, RefusedList } from '@kelid/contract'
import { keepList, type List, noList, readList, refuses } from './list.ts'
import { reasonOf } from './retry.ts'

export type Outcome = 'unchanged' | 'taken' | 'refused'

/** The list that counts on this host, on its disk and in its memory, and whether another was offered and not taken. */
export async function openListKeeper(file: string, say: (line: string) => void) {
  const kept = await readList(file).catch(async (error) => {
    say(`the list that was kept cannot be read, and is asked for anew: ${reasonOf(error)}`)
    await rename(file, `${file}.broken`)
    return { ...noList, time: 0 }
  })
  let list: List = kept
  let refused: RefusedList = ''
  /** A full disk is no reason to let in whoever was put out. */
  const keep = (now: number) =>
    list.epoch === ''
      ? Promise.resolve()
      : keepList(file, list, now).catch((error) => say(`the list cannot be kept: ${reasonOf(error)}`))
  return {
    list: () => list,
    refused: () => refused,
    timeKept: kept.time,
    async take(answer: Answer<typeof desired>, now: number): Promise<Outcome> {
      const { epoch, number, digest, accounts, mayShrink } = answer
      if (accounts === null) return 'unchanged'
      const offered = { epoch, number, digest, accounts }
      const reason = refuses(list, offered, mayShrink, refused === 'older')
      if (reason !== '') {
        if (reason !== refused)
          say(`a list of ${accounts.length} accounts was not taken (${reason}): ${list.accounts.length} stay`)
        refused = reason
        return 'refused'
      }
      list = offered
      refused = ''
      await keep(now)
      return 'taken'
    },
    /** Again, with the time that has passed: after a restart it goes on from there. */
    keep,
  }
}
