import type { Answer, Call, Listing } from '@kelid/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Body, send } from './api.ts'

type ItemOf<C extends Call> = Answer<C> extends Listing<infer Item> ? Item : never

/** A long list, a page at a time as it is scrolled to. */
export function useReadPages<C extends Call>(call: C, body: Body<C>, limit: number) {
  const pages = useInfiniteQuery({
    queryKey: [call.path, 'pages', body],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      send(call, { ...body, limit, ...(pageParam && { cursor: pageParam }) }, { signal }) as Promise<
        Listing<ItemOf<C>>
      >,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    placeholderData: (before) => before,
  })
  const items = pages.data?.pages.flatMap((page) => page.items) ?? []
  return { ...pages, items, total: pages.data?.pages[0]?.total ?? items.length }
}
