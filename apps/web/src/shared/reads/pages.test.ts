import type { Listing } from '@kelid/contract'
import { expect, test } from 'vitest'
import { type Pages, withNewBeginning, withNextPage } from './pages.ts'

interface Item {
  id: string
  state?: string
}
const idOf = ({ id }: Item) => id
const items = (ids: string): Item[] => [...ids].map((id) => ({ id }))
const page = (ids: string, nextCursor: string | null): Listing<Item> => ({ items: items(ids), nextCursor })
const list: Pages<Item> = {
  pages: [page('abcd', 'd'), page('efgh', 'h'), page('ijkl', null)],
  pageParams: [undefined, 'd', 'h'],
}
const idsOf = ({ pages }: Pages<Item>) => pages.map((one) => one.items.map(idOf).join(''))

test('an unchanged refresh keeps every item and page', () => {
  const after = withNewBeginning(list, page('abcd', 'd'), idOf)
  expect(idsOf(after)).toEqual(['abcd', 'efgh', 'ijkl'])
  expect(after.pages[0]?.items[1]).toBe(list.pages[0]?.items[1])
  expect(after.pages[1]).toBe(list.pages[1])
  expect(after.pageParams).toEqual([undefined, 'd', 'h'])
})

test('new items push others down, removed items let them move up, and none is duplicated', () => {
  expect(idsOf(withNewBeginning(list, page('Xabc', 'c'), idOf))).toEqual(['Xabc', 'd', 'efgh', 'ijkl'])
  expect(idsOf(withNewBeginning(list, page('bcde', 'e'), idOf))).toEqual(['bcde', 'fgh', 'ijkl'])
  expect(idsOf(withNewBeginning(list, page('labc', 'c'), idOf))).toEqual(['labc', 'd', 'efgh', 'ijk'])
  expect(idsOf(withNewBeginning(list, page('abcX', 'X'), idOf))).toEqual(['abcX', 'd', 'efgh', 'ijkl'])
})

test('a changed item is replaced, the others stay', () => {
  const beginning = { items: [{ id: 'a', state: 'off' }, ...items('bcd')], nextCursor: 'd' }
  const [first] = withNewBeginning(list, beginning, idOf).pages
  expect(first?.items[0]).toEqual({ id: 'a', state: 'off' })
  expect(first?.items[3]).toBe(list.pages[0]?.items[3])
})

test('a short list, or one without a common item, is replaced', () => {
  expect(idsOf(withNewBeginning(list, page('ab', null), idOf))).toEqual(['ab'])
  expect(idsOf(withNewBeginning(list, page('wxyz', 'z'), idOf))).toEqual(['wxyz'])
})

test('a page that arrives after the list has changed is dropped', () => {
  expect(
    idsOf(withNextPage({ pages: [page('ab', 'b')], pageParams: [undefined] }, 'b', page('cd', null))),
  ).toEqual(['ab', 'cd'])
  expect(withNextPage(list, 'd', page('ef', null))).toBe(list)
})
