import {
  callerRefusals,
  commonRefusals,
  limits,
  type PeopleAccess,
  Refusal,
  type RefusalType,
  refusals,
  routes,
  wrapRefusal,
} from '@kelid/contract'
import { Html, html, nothing } from '../lib/html.ts'
import { fieldList, shapeLink, shapesIn } from './docs-fields.ts'
import { docsStyle, docsStyleSource } from './docs-style.ts'
import type { OpenApiDocument, Operation } from './openapi.ts'
import type { Schema } from './openapi-schemas.ts'

const json = 'application/json'
const common = ['client', 'clientVersion', 'lng']
const who: Record<PeopleAccess, string> = {
  anyone: 'Anyone',
  user: 'Signed-in user',
  admin: `Administrator, level above ${limits.adminLevelAbove}`,
  anyAdmin: 'Administrator, also without a second factor where one is required',
}
/** Every call, and every call of who may, gives these; they are told once. */
const toldOnce: readonly RefusalType[] = [
  ...callerRefusals,
  'ACCESS_DENIED',
  'SECOND_FACTOR_MISSING',
  ...commonRefusals,
]

interface Entry {
  path: string
  id: string
  operation: Operation
}

/** The document for people: one static page without script; `styleHash` is its source for style-src. */
export function docsPage(document: OpenApiDocument, brandName: string): { html: string; styleHash: string } {
  const entries = Object.entries(document.paths).flatMap(([path, { post, get }]): Entry[] => {
    const operation = post ?? get
    return operation ? [{ path, operation, id: operation.operationId }] : []
  })
  const ofTag = (tag: string) => entries.filter(({ operation }) => operation.tags[0] === tag)
  const title = `${brandName} API`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${new Html(docsStyle)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="soft">Version ${document.info.version}. The same for programs: <a href="${routes.openapi.path}">OpenAPI</a>.</p>
</header>
<div class="columns">
<nav aria-label="Contents">
<ul><li><a href="#form">How a call is made</a></li><li><a href="#refusals">Refusals of any call</a></li></ul>
${document.tags.map(
  ({
    name,
    description,
  }) => html`<details><summary>${description} <span class="soft">${ofTag(name).length}</span></summary>
<ul>${ofTag(name).map(({ id, path }) => html`<li><a href="#${id}">${shortPath(path)}</a></li>`)}</ul></details>
`,
)}<ul><li><a href="#shapes">Shapes</a></li></ul>
</nav>
<main>
${form(document, entries)}
${refusalSection()}
${document.tags.map(
  ({ name, description }) => html`<section><h2>${description}</h2>
${ofTag(name).map((entry) => article(entry, document))}</section>
`,
)}
${shapes(document, entries)}
</main>
</div>
</body>
</html>
`
  return { html: page.markup, styleHash: docsStyleSource }
}

const shortPath = (path: string) => path.replace('/api/v1/', '')
const resolve = (document: OpenApiDocument, { $ref }: Schema): Schema =>
  document.components.schemas[$ref?.split('/').at(-1) ?? ''] ?? {}

function form(document: OpenApiDocument, entries: readonly Entry[]): Html {
  const body = entries[0]?.operation.requestBody?.content[json]?.schema ?? {}
  const { properties = {}, required = [] } = resolve(document, body)
  const shared = {
    properties: Object.fromEntries(common.map((name) => [name, properties[name] ?? {}])),
    required,
  }
  const success = { response: { status: 1, httpCode: 200, message: 'OK', detailedResponse: ['…'] } }
  return html`<section id="form"><h2>How a call is made</h2>
<p>${document.info.description} A call that is not open to anyone needs the header <code>Authorization: Bearer</code> with the token that <a href="#signIn">auth/signin</a> answers. Fields that a call does not name are refused, and no value is converted: a number in quotes is not a number.</p>
<h3>In every body</h3>
${fieldList(shared)}
<h3>A success</h3>
<pre>${JSON.stringify(success, null, 2)}</pre>
<h3>A refusal</h3>
<pre>${JSON.stringify(wrapRefusal(new Refusal('EMAIL_TAKEN')), null, 2)}</pre>
<p>The HTTP status is the <code>httpCode</code>. A list fills <code>detailedResponse</code>; a single thing is its first item. In the examples <code>$SERVER</code> is the address of this server and <code>$TOKEN</code> the token.</p>
</section>`
}

const refusalList = (types: readonly RefusalType[]) =>
  html`<dl>${types.map(
    (type) =>
      html`<div><dt><code>${type}</code></dt><dd>${refusals[type].httpCode}: ${refusals[type].text}</dd></div>
`,
  )}</dl>`

const refusalSection = () => html`<section id="refusals"><h2>Refusals of any call</h2>
<p>The first is for calls that need a token, the second for those that need an administrator.</p>
${refusalList(toldOnce)}</section>`

function article({ id, path, operation }: Entry, document: OpenApiDocument): Html {
  const content = operation.requestBody?.content[json]
  const fields = content ? fieldList(resolve(document, content.schema), { leaveOut: common }) : nothing
  const own = Object.values(operation.responses)
    .flatMap((response) => Object.keys(response.content?.[json]?.examples ?? {}) as RefusalType[])
    .filter((type) => !toldOnce.includes(type))
  return html`<article id="${id}">
<div class="head"><h3><a href="#${id}"><code>${path}</code></a></h3><span class="who">${who[operation['x-access']]}</span></div>
<p>${operation.summary}.</p>
${content ? html`<h4>Body</h4>${fields === nothing ? html`<p class="soft">Nothing of its own.</p>` : fields}` : nothing}
${operation.parameters.map(
  ({ name, description }) =>
    html`<dl><div><dt><code>${name}</code></dt><dd>${description ? `header, may be left out: ${description}` : 'part of the address'}</dd></div></dl>`,
)}
${content ? html`<h4>Reply</h4>${reply(operation, document)}` : nothing}
${own.length > 0 ? html`<h4>Refusals</h4>${refusalList(own)}` : nothing}
${content ? html`<h4>Example</h4><pre>${curl(path, operation, document)}</pre>` : nothing}
</article>
`
}

function itemOf(operation: Operation): { schema: Schema; isList: boolean } | null {
  const envelope = operation.responses[200]?.content?.[json]?.schema
  const response = envelope?.properties?.response as Schema | undefined
  const detailed = response?.properties?.detailedResponse as Schema | undefined
  return detailed?.items ? { schema: detailed.items as Schema, isList: detailed.maxItems !== 1 } : null
}

function reply(operation: Operation, document: OpenApiDocument): Html {
  const item = itemOf(operation)
  const message = operation.responses[200]?.description ?? ''
  if (!item) return html`<p class="soft">Nothing but the message <code>${message}</code>.</p>`
  const name = item.schema.$ref?.split('/').at(-1) ?? ''
  const count = item.isList ? 'A list, each item' : 'One'
  return isShape(name)
    ? html`<p class="soft">${count} ${shapeLink(name)}.</p>`
    : html`<p class="soft">${count}:</p>${fieldList(resolve(document, item.schema))}`
}

/** What is named after one call is shown there, the rest once at the end. */
const isShape = (name: string) => name !== '' && !name.endsWith('Reply')

function shapes(document: OpenApiDocument, entries: readonly Entry[]): Html {
  const { schemas } = document.components
  const direct = entries.flatMap(({ operation }) => shapesIn(itemOf(operation)))
  const all = [...new Set([...direct, ...direct.flatMap((name) => shapesIn(schemas[name]))])]
  return html`<section id="shapes"><h2>Shapes</h2>
${all
  .filter(isShape)
  .sort()
  .map(
    (name) => html`<article id="shape-${name}"><h3>${name}</h3>${fieldList(schemas[name] ?? {})}</article>
`,
  )}</section>`
}

function curl(path: string, operation: Operation, document: OpenApiDocument): string {
  const server = document.servers?.[0]?.url ?? '$SERVER'
  const body = JSON.stringify(operation.requestBody?.content[json]?.example, null, 2).replaceAll("'", "'\\''")
  return [
    `curl "${server}${path}"`,
    `-H 'Content-Type: ${json}'`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...operation.parameters
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => `-H "${name}: $(uuidgen)"`),
    `-d '${body}'`,
  ].join(' \\\n  ')
}
