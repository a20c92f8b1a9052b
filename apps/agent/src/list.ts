import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RefusedList } from '@kelid/contract'
import type { Account } from './reconcile.ts'
import { replaceFile } from './replace-file.ts'

/** The node's whole list as the control plane composed it, and where it stands in the order of lists. */
export interface List {
  readonly epoch: string
  readonly number: number
  readonly digest: string
  readonly accounts: readonly Account[]
}

export const noList: List = { epoch: '', number: 0, digest: '', accounts: [] }

const share = 0.3
const atLeast = 3

/**
 * A control plane that came back empty, or with an old backup, must not put anybody out: a list that is older, or that
 * lacks many of those who are here, is not taken unless somebody allowed it. Another epoch is another database, or one that
 * was restored: then whoever is missing may have been sold since, and one is enough. So it is with a database that was found
 * to be older: its numbers go on, and say nothing of who is missing.
 */
export function refuses(kept: List, offered: List, mayShrink: boolean, wasOlder = false): RefusedList {
  if (mayShrink) return ''
  const isOtherEpoch = kept.epoch !== '' && offered.epoch !== kept.epoch
  if (!isOtherEpoch && offered.number < kept.number) return 'older'
  const offeredIds = new Set(offered.accounts.map(({ id }) => id))
  const gone = kept.accounts.filter(({ id }) => !offeredIds.has(id)).length
  if (isOtherEpoch) return gone > 0 ? 'smaller' : ''
  if (wasOlder) return gone > 0 ? 'older' : ''
  return gone > atLeast && gone > kept.accounts.length * share ? 'smaller' : ''
}

interface Kept extends List {
  /** The largest time that was known. */
  readonly time: number
}

/** Nothing where there is no file; throws where there is one that cannot be read, for then the guards have nothing to go by. */
export async function readList(file: string): Promise<Kept> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? { ...noList, time: 0 } : (JSON.parse(text) as Kept)
}

export async function keepList(file: string, list: List, time: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify({ ...list, time }), 0o600)
}
