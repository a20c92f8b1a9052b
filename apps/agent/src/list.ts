import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RefusedList } from '@kelid/contract'
import type { Account } from './reconcile.ts'
import { replaceFile } from './replace-file.ts'

/** The node's whole list as the control plane composed it, and where it stands in the order of lists. */
export interface Offered {
  readonly epoch: string
  readonly number: number
  readonly digest: string
  /** Accounts that left this host on purpose, in all; missing where an older control plane or agent wrote the list. */
  readonly removed?: number | undefined
  readonly accounts: readonly Account[]
}

/** The last list that was offered, together with the accounts that it lacks and that stay all the same. */
export interface List extends Offered {
  /** Ids of accounts that the control plane's list lacks although nobody removed them. */
  readonly heldBack: readonly string[]
  /**
   * Ids that reports leave out: those held back now or earlier, until a list has them again. In an older or restored
   * database they may be another host's, and a report on another host's account is refused as a whole. The core's counters
   * of them outlive the permission to drop them.
   */
  readonly unreported: readonly string[]
  /** The number of the last list of this epoch that was taken whole. */
  readonly whole: number
  /** Why something of the list was not taken. */
  readonly refused: RefusedList
}

const taken = (offered: Offered, unreported: readonly string[] = []): List => ({
  ...{ ...offered, heldBack: [], unreported, whole: offered.number, refused: '' },
})

export const noList: List = taken({ epoch: '', number: 0, digest: '', accounts: [] })

/**
 * A control plane that came back empty, or with an old database, must not put anybody out: accounts that are missing
 * although nobody removed them stay until an administrator allows it. Everything else in the list applies at once. From an
 * older list of the same database an account is taken only if that database has not changed it since.
 */
export function merge(kept: List, offered: Offered, mayShrink: boolean): List {
  const isSameEpoch = offered.epoch === kept.epoch
  const isOlder = isSameEpoch && offered.number < Math.max(kept.number, kept.whole)
  const offeredIds = new Set(offered.accounts.map(({ id }) => id))
  const wereHeldBack = new Set(kept.heldBack)
  const missing = kept.accounts.filter(({ id }) => !offeredIds.has(id))
  const gone = missing.filter(({ id }) => !wereHeldBack.has(id)).length
  const isMeant = gone <= (isSameEpoch && !isOlder ? removedSince(kept, offered) : 0)
  const staying = isMeant ? missing.filter(({ id }) => wereHeldBack.has(id)) : missing
  const heldBack = staying.map(({ id }) => id)
  const stillLacking = kept.unreported.filter((id) => !offeredIds.has(id))
  const unreported = [...new Set([...stillLacking, ...heldBack])]
  if (mayShrink || (staying.length === 0 && !isOlder)) return taken(offered, unreported)
  const refused = isOlder || (isSameEpoch && kept.refused === 'older') ? 'older' : 'smaller'
  const accounts = isOlder ? newestOf(kept.accounts, offered.accounts) : offered.accounts
  return {
    ...{ ...offered, refused, accounts: [...accounts, ...staying], heldBack, unreported },
    whole: isSameEpoch ? kept.whole : 0,
  }
}

const share = 0.3
const atLeast = 3

/** Where nobody has said it, a few may go. */
const removedSince = (kept: List, offered: Offered): number =>
  kept.removed === undefined || offered.removed === undefined
    ? Math.max(atLeast, kept.accounts.length * share)
    : offered.removed - kept.removed

function newestOf(kept: readonly Account[], offered: readonly Account[]): Account[] {
  const own = new Map(kept.map((account) => [account.id, account]))
  return offered.map((account) => {
    const ours = own.get(account.id)
    return ours && ours.revision > account.revision ? ours : account
  })
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
  if (text === null) return { ...noList, time: 0 }
  const found = JSON.parse(text) as Kept
  // Earlier agents kept less.
  return { ...taken(found, found.heldBack), ...found }
}

export async function keepList(file: string, list: List, time: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify({ ...list, time }), 0o600)
}
