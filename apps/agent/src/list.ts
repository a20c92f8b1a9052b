import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RefusedList } from '@kelid/contract'
import type { Account } from './reconcile.ts'
import { replaceFile } from './replace-file.ts'

/** The node's list as the control plane composed it, with its position in the order of lists. */
export interface Offered {
  readonly epoch: string
  readonly number: number
  readonly digest: string
  /** Total number of accounts removed from this host; older control planes and agents do not send it. */
  readonly removed?: number | undefined
  readonly accounts: readonly Account[]
}

export interface List extends Offered {
  /** Accounts that the offered list lacks although nobody removed them. */
  readonly heldBack: readonly string[]
  /**
   * Accounts that reports omit: those held back, now or earlier, until a list has them again. In a restored database
   * they may belong to another host, and one such account makes the control plane refuse the whole report.
   */
  readonly unreported: readonly string[]
  /** Number of the last list of this epoch that was applied completely. */
  readonly whole: number
  readonly refused: RefusedList
}

const acceptWhole = (offered: Offered, unreported: readonly string[] = []): List => ({
  ...{ ...offered, heldBack: [], unreported, whole: offered.number, refused: '' },
})

export const noList: List = acceptWhole({ epoch: '', number: 0, digest: '', accounts: [] })

/**
 * A control plane with an empty or old database must not remove accounts: accounts that are missing although nobody
 * removed them stay until an administrator approves. Everything else applies at once. An older list of the same
 * database updates an account only if that database has not changed it since.
 */
export function merge(current: List, offered: Offered, mayShrink: boolean): List {
  const isSameEpoch = offered.epoch === current.epoch
  const isOlder = isSameEpoch && offered.number < Math.max(current.number, current.whole)
  const offeredIds = new Set(offered.accounts.map(({ id }) => id))
  const previouslyHeldBack = new Set(current.heldBack)
  const missing = current.accounts.filter(({ id }) => !offeredIds.has(id))
  const newlyMissing = missing.filter(({ id }) => !previouslyHeldBack.has(id)).length
  const isMeant = newlyMissing <= (isSameEpoch && !isOlder ? removedSince(current, offered) : 0)
  const staying = isMeant ? missing.filter(({ id }) => previouslyHeldBack.has(id)) : missing
  const heldBack = staying.map(({ id }) => id)
  const stillLacking = current.unreported.filter((id) => !offeredIds.has(id))
  const unreported = [...new Set([...stillLacking, ...heldBack])]
  if (mayShrink || (staying.length === 0 && !isOlder)) return acceptWhole(offered, unreported)
  const refused = isOlder || (isSameEpoch && current.refused === 'older') ? 'older' : 'smaller'
  const accounts = isOlder ? newestOf(current.accounts, offered.accounts) : offered.accounts
  return {
    ...{ ...offered, refused, accounts: [...accounts, ...staying], heldBack, unreported },
    whole: isSameEpoch ? current.whole : 0,
  }
}

const share = 0.3
const atLeast = 3

/** Without a count from the control plane, a few removals are accepted. */
const removedSince = (current: List, offered: Offered): number =>
  current.removed === undefined || offered.removed === undefined
    ? Math.max(atLeast, current.accounts.length * share)
    : offered.removed - current.removed

function newestOf(current: readonly Account[], offered: readonly Account[]): Account[] {
  const currentById = new Map(current.map((account) => [account.id, account]))
  return offered.map((account) => {
    const ours = currentById.get(account.id)
    return ours && ours.revision > account.revision ? ours : account
  })
}

interface StoredList extends List {
  readonly time: number
}

/** Throws if the file exists but cannot be read, because the protection needs the previous list. */
export async function readList(file: string): Promise<StoredList> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return { ...noList, time: 0 }
  const stored = JSON.parse(text) as StoredList
  // Earlier agents stored fewer fields.
  return { ...acceptWhole(stored, stored.heldBack), ...stored }
}

export async function keepList(file: string, list: List, time: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify({ ...list, time }), 0o600)
}
