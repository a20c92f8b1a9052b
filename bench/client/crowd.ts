import { type Call, type Envelope, wrap } from '@kelid/contract'
import type { Page } from '@playwright/test'

interface Fields {
  /** The field that a search looks in. */
  readonly searched: string
  /** The field that a filter looks at, and the name of the filter: its value, or true where it stands for yes. */
  readonly narrowed: string
  readonly by: string
}

/**
 * A fake: the browser sees as many of a list as wanted, in the contract's shape; the server has none of them. Answered in the
 * page itself, because two hundred pages by way of the test would take longer than all the rest.
 */
export async function fakeCrowd(
  page: Page,
  call: Call,
  all: readonly object[],
  fields: Fields,
): Promise<void> {
  const empty = wrap(call, { items: [], total: 0, nextCursor: null })
  await page.addInitScript(answerInPage, { path: call.path, all, empty, fields })
}

interface Given {
  readonly path: string
  readonly all: readonly object[]
  readonly empty: Envelope
  readonly fields: Fields
}

/** Runs in the page, before anything of its own. */
function answerInPage({ path, all: things, empty, fields }: Given): void {
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
