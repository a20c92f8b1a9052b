import {
  day,
  getAccount,
  getStatement,
  getUser,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  limits,
} from '@kelid/contract'
import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { deleteCopies } from '../../lib/copies-database.ts'
import { type Session, sessionStore, storedSession } from '../../lib/session.ts'
import { type Copy, dropCopies, readCopies, writeCopies } from './copies.ts'

const copiedCalls = [getUser, getUserCredit, getUserDebt, getUserAccounts, getAccount, getStatement]
const copiedPaths = new Set<unknown>(copiedCalls.map(({ path }) => path))
/** No session lasts longer. */
const maxAgeMs = limits.sessionDays * day
const writeAfterMs = 1_000
/** This row holds the number of parts, which are numbered from 0. */
const head = -1

const shouldKeep = (key: QueryKey) => copiedPaths.has(key[0]) && !JSON.stringify(key).includes('"search":')

/** The suffix tells sessions apart but cannot impersonate one. */
const ownerOf = (session: Session | null): string | null => session?.token.slice(-8) ?? null
const ownerNow = (): string | null => ownerOf(sessionStore.get())

const isPaged = (data: unknown): data is InfiniteData<object, unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data

interface Part {
  readonly content: object
  readonly param?: unknown
}

/** Stores a list by page, so that a new page does not rewrite the others. */
const partsOf = (data: unknown): readonly Part[] =>
  isPaged(data)
    ? data.pages.map((content, index) => ({ content, param: data.pageParams[index] }))
    : [{ content: data as object }]

const wholeOf = (parts: readonly Part[]): unknown =>
  'param' in (parts[0] ?? {})
    ? { pages: parts.map(({ content }) => content), pageParams: parts.map(({ param }) => param) }
    : parts[0]?.content

/** Unchanged data is the same object and is not written again. */
let written = new WeakSet<object>()
const waiting = new Set<Query>()

/** Clients of the release before stored the lists of accounts with their links. */
const hasLinks = ({ read }: Copy): boolean =>
  read.startsWith(`["${getUserAccounts.path}"`) && !read.includes('"withLinks":false')

/** Restored data counts as stale and is read again when online. */
export async function restoreCopies(client: QueryClient, now = Date.now()): Promise<void> {
  const owner = ownerNow()
  const copies = await readCopies(
    (copy) => copy.owner === owner && now - copy.readAt < maxAgeMs && !hasLinks(copy),
  )
  for (const { read, readAt, data: count } of copies.filter(({ part }) => part === head)) {
    const parts = copies.filter((copy) => copy.read === read && copy.part !== head)
    const key = JSON.parse(read) as QueryKey
    if (parts.length !== count || client.getQueryData(key) !== undefined) continue
    const inOrder = parts.toSorted((one, other) => one.part - other.part).map(({ data }) => data as Part)
    for (const { content } of inOrder) written.add(content)
    client.setQueryData(key, wholeOf(inOrder), { updatedAt: readAt })
  }
}

function write(query: Query, owner: string): void {
  const read = JSON.stringify(query.queryKey)
  const readAt = query.state.dataUpdatedAt
  const parts = partsOf(query.state.data)
  const rows: Copy[] = [{ read, part: head, owner, readAt, data: parts.length }]
  parts.forEach((data, part) => {
    if (written.has(data.content)) return
    written.add(data.content)
    rows.push({ read, part, owner, readAt, data })
  })
  void writeCopies(rows)
  void dropCopies(read, parts.length)
}

export async function emptyCopies(): Promise<void> {
  waiting.clear()
  written = new WeakSet()
  await deleteCopies()
}

export function keepCopies(client: QueryClient): void {
  let isWaiting = false

  const writeWaiting = () => {
    isWaiting = false
    const owner = ownerNow()
    if (owner && owner === ownerOf(storedSession())) for (const query of waiting) write(query, owner)
    waiting.clear()
  }
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !shouldKeep(event.query.queryKey))
      return
    waiting.add(event.query)
    if (!isWaiting) setTimeout(writeWaiting, writeAfterMs)
    isWaiting = true
  })

  let owner = ownerNow()
  sessionStore.subscribe(() => {
    if (ownerNow() === owner) return
    owner = ownerNow()
    waiting.clear()
    client.clear()
  })
}
