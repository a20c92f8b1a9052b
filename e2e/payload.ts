import { expect, type Page } from '@playwright/test'
import { testedProduct } from './product/tested-product.ts'

/** Each part would run, load or reorder something if it were not treated as text. */
export const markup = [
  '<script>hit_=1</script>',
  '<img src=x-hit onerror=hit_=1>',
  '<svg onload=hit_=1>',
  '"><a href="javascript:hit_=1">',
].join('')
const gaps = '{{hit_}}{name}{count}'
const reference = '$t(auth.signIn)'
export const interpolation = `${gaps}${reference}`
/** Unfilled placeholders in a server's text are replaced. */
export const withoutGaps = `………${reference}`
const overrides = '\u202e\u2066\u202b\u2069\u200f'
export const payload = `${overrides}${markup}${interpolation}${overrides}${'x'.repeat(90)}`

/** Fields that the product shows, links to or loads unchanged. */
const shownFields = new Set([
  'accountName',
  'accountUUID',
  'accountQRString',
  'accountSubscriptionPath',
  'countryName',
  'countryFlag',
  'userEmail',
  'sessionUserAgent',
  'sessionAddress',
  'entryReason',
  'brandName',
  'brandContact',
])

const poison = (key: string, value: unknown) =>
  shownFields.has(key) && typeof value === 'string' ? payload : value

/** Every shown field of every reply holds the payload. */
export async function poisonReplies(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/(?!events)|\/config\.json$/, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ status: reply.status(), json: JSON.parse(await reply.text(), poison) })
  })
}

/** Records everything that must not happen. */
export function watch(page: Page): string[] {
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted(?:HTML|Script)/.test(message.text())) seen.push(message.text())
  })
  page.on('request', (request) => {
    const { origin, protocol, pathname } = new URL(request.url())
    const isOwn = origin === testedProduct().url || /^(?:data|blob):$/.test(protocol)
    if (!isOwn || pathname.endsWith('x-hit')) seen.push(`a request: ${request.url()}`)
  })
  return seen
}

/** The payload is shown as text without its control characters and had no effect. */
export async function expectHarmless(
  page: Page,
  seen: readonly string[],
  unfilled = interpolation,
): Promise<void> {
  const rendered = await page.evaluate(() => {
    const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
      [...element.attributes].map(({ value }) => value),
    )
    const values = [...document.querySelectorAll('input')].map(({ value }) => value)
    return {
      // Data blocks are not shown.
      text: [...document.body.querySelectorAll(':scope > :not(script)')]
        .map((one) => one.textContent)
        .join('\n'),
      all: [document.title, ...attributes, ...values].join('\n'),
    }
  })
  const everything = `${rendered.text}\n${rendered.all}`
  expect.soft(everything, 'the payload is shown').toContain(markup)
  expect.soft(everything, 'and not put together with words').toContain(unfilled)
  expect.soft(everything).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  await expectNothingRan(page, seen)
}

/** The payload had no effect anywhere on the page. */
export async function expectNothingRan(page: Page, seen: readonly string[]): Promise<void> {
  expect.soft(await page.evaluate(() => 'hit_' in window), 'nothing ran').toBe(false)
  const links = await page
    .locator('a')
    .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol))
  expect.soft(links).not.toContain('javascript:')
  expect.soft(seen).toEqual([])
}
