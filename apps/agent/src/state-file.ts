import { mkdir, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from './replace-file.ts'
import { reasonOf } from './retry.ts'

/** State that survives the agent. If the disk is full, the agent continues in memory, and the host has a trouble. */
export function openStateFile<State>(file: string, what: string, say: (line: string) => void) {
  let lastWrite: Promise<unknown> = Promise.resolve()
  return {
    /** null without a file, or if it cannot be read. */
    async restore(): Promise<State | null> {
      try {
        return JSON.parse(await readFile(file, 'utf8')) as State
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        say(`cannot read the stored ${what}: ${reasonOf(error)}`)
        await rename(file, `${file}.broken`).catch(() => {})
        return null
      }
    },
    /** Returns whether it is stored. */
    keep(state: State): Promise<boolean> {
      const text = JSON.stringify(state)
      const write = lastWrite
        .then(() => mkdir(dirname(file), { recursive: true, mode: 0o700 }))
        .then(() => replaceFile(file, text, 0o600))
        .then(
          () => true,
          (error) => {
            say(`cannot store the ${what}: ${reasonOf(error)}`)
            return false
          },
        )
      lastWrite = write
      return write
    },
  }
}
export type StateFile<State> = ReturnType<typeof openStateFile<State>>
