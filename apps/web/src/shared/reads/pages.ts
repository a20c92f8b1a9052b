import type { Listing } from '@kelid/contract'
import { type InfiniteData, type QueryClient, replaceEqualDeep } from '@tanstack/react-query'

export type Pages<Item> = InfiniteData<Listing<Item>, string | undefined>

export const onePage = <Item>(page: Listing<Item>): Pages<Item> => ({
  pages: [page],
  pageParams: [undefined],
})

/** Drops a late page if the list has already continued from this cursor. */
export const withNextPage = <Item>(now: Pages<Item>, cursor: string, page: Listing<Item>): Pages<Item> =>
  now.pages.at(-1)?.nextCursor === cursor
    ? { pages: [...now.pages, page], pageParams: [...now.pageParams, cursor] }
    : now

/**
 * Joins the new first page with the rest at the last common item. Without one, the rest is dropped and read again on
 * scroll.
 */
export function withNewBeginning<Item>(
  before: Pages<Item>,
  beginning: Listing<Item>,
  idOf: (item: Item) => string,
): Pages<Item> {
  const knownItems = new Map(
    before.pages.flatMap(({ items }) => items.map((item) => [idOf(item), item] as const)),
  )
  const items = beginning.items.map((item) => replaceEqualDeep(knownItems.get(idOf(item)), item))
  const first = onePage({ ...beginning, items })
  const lastCommon = beginning.items.findLast((item) => knownItems.has(idOf(item)))
  if (!beginning.nextCursor || !lastCommon) return first
  const ids = new Set(items.map(idOf))
  const commonPage = before.pages.findIndex((page) =>
    page.items.some((item) => idOf(item) === idOf(lastCommon)),
  )
  before.pages.slice(commonPage).forEach((page, index) => {
    const from = index === 0 ? page.items.findIndex((item) => idOf(item) === idOf(lastCommon)) + 1 : 0
    const rest = page.items.slice(from).filter((item) => !ids.has(idOf(item)))
    if (rest.length === 0) return
    first.pages.push(rest.length === page.items.length ? page : { ...page, items: rest })
    first.pageParams.push(before.pageParams[commonPage + index])
  })
  return first
}

/** Later pages may be outdated or in another language. */
export const forgetLaterPages = (client: QueryClient): void => {
  client.setQueriesData<Pages<unknown>>(
    { predicate: ({ queryKey }) => queryKey[1] === 'pages' },
    ({ pages: [page] } = { pages: [], pageParams: [] }) => page && onePage(page),
  )
}
