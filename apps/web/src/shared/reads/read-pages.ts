import { type Answer, type Call, type Listing, limits } from '@kelid/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { type Body, read } from '../../calls/api.ts'
import { onePage, type Pages, withNewBeginning, withNextPage } from './pages.ts'

type ItemOf<C extends Call> = Answer<C> extends Listing<infer Item> ? Item : never

interface Options<C extends Call> {
  /** Small enough to parse within a frame. */
  size: number
  idOf: (item: ItemOf<C>) => string
  everyMs?: number
}

/** A refresh is one request for the beginning of the list; TanStack's infinite query would read page after page. */
export function useReadPages<C extends Call>(call: C, body: Body<C>, { size, idOf, everyMs }: Options<C>) {
  type Item = ItemOf<C>
  const client = useQueryClient()
  const queryKey = [call.path, 'pages', body]
  const loadedPages = () => client.getQueryData<Pages<Item>>(queryKey)
  const ask = (page: { limit: number; cursor?: string }, signal?: AbortSignal) =>
    read(call, { ...body, ...page }, { signal }) as Promise<Listing<Item>>

  const list = useQuery<Pages<Item>>({
    queryKey,
    queryFn: async ({ signal }) => {
      const loaded = loadedPages()?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0
      const limit = Math.min(Math.max(loaded, size), limits.pageMax)
      const page = await ask({ limit }, signal)
      const before = loadedPages()
      return before ? withNewBeginning(before, page, idOf) : onePage(page)
    },
    // withNewBeginning keeps unchanged items; a deep comparison of ten thousand would be slow.
    structuralSharing: false,
    placeholderData: (before) => before,
    refetchInterval: everyMs ?? false,
  })

  const cursor = list.isPlaceholderData ? null : (list.data?.pages.at(-1)?.nextCursor ?? null)
  const more = useMutation({
    mutationFn: ({ read }: { from: string; read: () => Promise<void> }) => read(),
    retry: client.getDefaultOptions().queries?.retry ?? false,
  })
  /** Scrolling asks faster than state updates, so this is a ref. */
  const readingCursor = useRef<string | null>(null)
  const isCurrentCursor = cursor !== null && more.variables?.from === cursor

  function fetchNextPage(): void {
    if (cursor === null || readingCursor.current === cursor) return
    readingCursor.current = cursor
    const updatedAt = list.dataUpdatedAt
    const read = async () => {
      const page = await ask({ limit: size, cursor }).finally(() => {
        readingCursor.current = null
      })
      client.setQueryData<Pages<Item>>(queryKey, (now) => now && withNextPage(now, cursor, page), {
        updatedAt,
      })
    }
    more.mutate({ from: cursor, read })
  }

  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  return {
    items,
    total: list.data?.pages[0]?.total ?? items.length,
    /** False if the server ignores limits and sends everything. */
    isSearchable: list.data?.pages.every(({ nextCursor }) => nextCursor !== undefined) ?? true,
    hasData: list.data !== undefined,
    isPending: list.isPending,
    isPaused: list.isPaused,
    isPlaceholderData: list.isPlaceholderData,
    error: list.error,
    refetch: () => void list.refetch(),
    hasNextPage: cursor !== null,
    isFetchingNextPage: isCurrentCursor && more.isPending,
    nextPageError: isCurrentCursor ? more.error : null,
    fetchNextPage,
  }
}
