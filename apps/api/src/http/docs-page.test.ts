import { createHash } from 'node:crypto'
import { calls, refusals, routes, ruleTexts } from '@kelid/contract'
import { expect, test } from 'vitest'
import { docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument({ title: 'Kelid', version: '1.2.3' })
const { html, styleHash } = docsPage(document, 'Kelid')
const unescaped = html
  .replace(/<[^>]+>/g, '')
  .replace(
    /&(quot|#39|lt|gt|amp);/g,
    (_, name: string) => ({ quot: '"', '#39': "'", lt: '<', gt: '>' })[name] ?? '&',
  )

test('it names every call with its path, summary, link in the contents and example', () => {
  for (const { path, summary } of calls) {
    expect(unescaped).toContain(path)
    expect(unescaped).toContain(`${summary}.`)
    expect(unescaped).toContain(`curl "$SERVER${path}"`)
    const id = document.paths[path]?.post?.operationId
    expect(html).toContain(`<article id="${id}">`)
    expect(html).toContain(`<a href="#${id}">${path.replace('/api/v1/', '')}</a>`)
  }
  for (const { summary } of Object.values(routes)) expect(unescaped).toContain(summary)
})

test('it tells fields with their rules, and every refusal that a call can give', () => {
  for (const field of calls.flatMap(({ input }) => Object.keys(input.shape)))
    expect(html).toContain(`<dt><code>${field}</code></dt>`)
  for (const rule of [
    'email',
    'password',
    'days',
    'ipv4',
    'smsCode',
    'configJson',
    'idempotencyKey',
  ] as const)
    expect(unescaped).toContain(ruleTexts[rule])
  for (const type of calls.flatMap((call) => call.refusals)) {
    expect(html).toContain(`<code>${type}</code>`)
    expect(unescaped).toContain(refusals[type].text)
  }
})

test('every link within the page leads somewhere, and every id is given once', () => {
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

test('it has no script, one style that the hash covers, and no address elsewhere', () => {
  expect(html).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\sstyle=|javascript:|@import|url\(/i)
  const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)]
  expect(styles).toHaveLength(1)
  const hash = createHash('sha256')
    .update(styles[0]?.[1] ?? '')
    .digest('base64')
  expect(styleHash).toBe(`'sha256-${hash}'`)
  // An example may send an address: that is text.
  expect(html.replace(/<pre>[^<]*<\/pre>/g, '')).not.toMatch(/\/\/[a-z0-9]/i)
  for (const [, address] of html.matchAll(/(?:href|src)="([^"]*)"/g)) expect(address).toMatch(/^[#/](?!\/)/)
})

test('text from the operator and the contract is text', () => {
  const hostile = '<script>alert(1)</script>"\'&'
  const stored = openApiDocument({ title: 'x', version: hostile, serverUrl: 'https://a.example.com/"><b>' })
  const [path = ''] = Object.keys(stored.paths)
  const operation = stored.paths[path]?.post
  if (operation) {
    operation.summary = hostile
    operation.requestBody = {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Hostile' },
          example: { [hostile]: hostile },
        },
      },
    }
  }
  stored.components.schemas.Hostile = {
    properties: { [hostile]: { enum: [hostile], description: hostile, default: hostile } },
  }
  const page = docsPage(stored, hostile).html
  expect(page).not.toMatch(/<script|<b>/)
  expect(page).toContain('<title>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; API</title>')
})

test('it is well formed: every element that is opened is closed in order', () => {
  const open: string[] = []
  for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (name === 'meta') continue
    if (closing) expect(open.pop()).toBe(name)
    else open.push(name)
  }
  expect(open).toEqual([])
})
