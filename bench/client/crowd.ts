import { type Call, type Envelope, wrap } from '@kelid/contract'
import type { Page } from '@playwright/test'

export interface Fields {
  /** The field that a search looks in. */
  readonly searched: string
  /** The field that a filter compares with its value; `true` passes every filter. */
  readonly narrowed: string
  readonly by: string
}

/** Fakes a long list. The page answers itself, because routing two hundred requests through the test is slow. */
export const fakeCrowd = (page: Page, call: Call, all: readonly object[], fields: Fields): Promise<unknown> =>
  page.addInitScript(answerInPage, {
    path: call.path,
    all,
    empty: wrap(call, { items: [], total: 0, nextCursor: null }),
    fields,
  })

interface Fake {
  readonly path: string
  readonly all: readonly object[]
  readonly empty: Envelope
  readonly fields: Fields
}

/** Runs in the page before its own scripts. */
function answerInPage({ path, all: things, empty, fields }: Fake): void {
  const all = things as Record<string, unknown>[]
  const { fetch: real } = window
  window.fetch = async (input, init) => {
    if (!String(input).endsWith(path)) return real(input, init)
    const body = JSON.parse(String(init?.body))
    const { search, sort = '', cursor, limit = all.length } = body
    const wanted = body[fields.by]
    const found = all.filter((one) => {
      const value = one[fields.narrowed]
      return (
        (!search || String(one[fields.searched]).includes(search)) &&
        (!wanted || value === wanted || value === true)
      )
    })
    if (sort.startsWith('-')) found.reverse()
    const from = Number(cursor ?? 0)
    const end = from + limit
    const response = {
      ...empty.response,
      detailedResponse: found.slice(from, end),
      total: found.length,
      nextCursor: end < found.length ? String(end) : null,
    }
    return new Response(JSON.stringify({ response }))
  }
}
