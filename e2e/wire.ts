import {
  type Call,
  type ClientConfig,
  type Envelope,
  Refusal,
  type RefusalParameters,
  type RefusalType,
  refusals,
  type Sent,
  unwrap,
  wrap,
  wrapRefusal,
} from '@kelid/contract'
import type { Page } from '@playwright/test'
import { underBrand } from '../apps/api/src/http/prepared-page.ts'

const at = (call: Call) => `**${call.path}`

/** Changes the server's real answer. */
export const rewrite = <C extends Call>(
  page: Page,
  call: C,
  change: (answer: Sent<C>) => unknown,
): Promise<unknown> =>
  page.route(at(call), async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: wrap(call, change(unwrap(call, await reply.json()) as Sent<C>)) })
  })

/** Answers instead of the server, in the contract's shape. */
export const answer = <C extends Call>(page: Page, call: C, result: Sent<C>): Promise<unknown> =>
  page.route(at(call), (route) => route.fulfill({ json: wrap(call, result) }))

export const refuse = (
  page: Page,
  call: Call,
  type: RefusalType,
  parameters?: RefusalParameters,
  change: (envelope: Envelope) => Envelope = (envelope) => envelope,
): Promise<unknown> =>
  page.route(at(call), (route) =>
    route.fulfill({
      status: refusals[type].httpCode,
      json: change(wrapRefusal(new Refusal(type, parameters))),
    }),
  )

/** Aborts the call, like a broken network. */
export const breakOff = (page: Page, call: Call): Promise<unknown> =>
  page.route(at(call), (route) => route.abort())

/** Leaves the call without an answer, to show the loading state. */
export const holdBack = (page: Page, call: Call): Promise<unknown> => page.route(at(call), () => {})

export const letThrough = (page: Page, call: Call): Promise<void> => page.unroute(at(call))

/** Holds files back until the returned function is called, like a slow network. */
export async function holdFiles(page: Page, files: string): Promise<() => void> {
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(files, async (route) => {
    await gate
    await route.continue()
  })
  return letGo
}

/** Changes the operator's config in the server's pages. */
export const rewriteConfig = (page: Page, change: Partial<ClientConfig>): Promise<unknown> =>
  page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const reply = await route.fetch()
    const html = await reply.text()
    const body = (change.brandName ? underBrand(html, change.brandName) : html).replace(
      /(?<=id="config">).*?(?=<\/script>)/,
      (json) => JSON.stringify({ ...JSON.parse(json), ...change }).replaceAll('<', '\\u003c'),
    )
    await route.fulfill({ response: reply, body })
  })
