import { calls, envelope, limits, refusals, routes, ruleTexts, wrap } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { type Operation, openApiDocument } from './openapi.ts'

const document = openApiDocument({ title: 'Kelid', version: '1.2.3', serverUrl: 'https://vpn.example.com' })
const json = 'application/json'
const operations = Object.entries(document.paths).map(
  ([path, item]) => [path, (item.post ?? item.get) as Operation] as const,
)
const operationOf = (path: string) => document.paths[path]?.post as Operation

function visit(value: unknown, see: (node: Record<string, unknown>, at: string) => void, at = '#'): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) see(value as Record<string, unknown>, at)
  for (const [key, child] of Object.entries(value)) visit(child, see, `${at}/${key}`)
}

const resolve = (reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)

test('it has the frame of OpenAPI 3.1 and survives JSON', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  expect(document.info).toMatchObject({ title: 'Kelid', version: '1.2.3' })
  expect(document.servers).toEqual([{ url: 'https://vpn.example.com' }])
  expect(openApiDocument({ title: 'Kelid', version: '1' })).not.toHaveProperty('servers')
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test('every reference leads somewhere, and nothing names a document elsewhere', () => {
  let references = 0
  visit(document, (node, at) => {
    expect(node, at).not.toHaveProperty('$id')
    expect(node, at).not.toHaveProperty('$schema')
    if (typeof node.$ref !== 'string') return
    references += 1
    expect(node.$ref, at).toMatch(/^#\/components\//)
    expect(resolve(node.$ref), `${at} -> ${node.$ref}`).toBeTypeOf('object')
  })
  expect(references).toBeGreaterThan(calls.length)
})

test('every schema has types that JSON Schema knows and patterns that compile', () => {
  const known = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
  visit(document.components.schemas, (node, at) => {
    if (at.endsWith('/properties')) return
    if (node.type !== undefined)
      for (const type of [node.type].flat()) if (typeof type === 'string') expect(known, at).toContain(type)
    if (typeof node.pattern === 'string')
      expect(() => new RegExp(node.pattern as string, 'u'), at).not.toThrow()
    if (Array.isArray(node.required) && node.properties)
      expect(Object.keys(node.properties), at).toEqual(expect.arrayContaining(node.required))
  })
})

test('operations have names of their own, a tag that exists and the parameters of their path', () => {
  const names = operations.map(([, { operationId }]) => operationId)
  expect(new Set(names).size).toBe(names.length)
  const tags = document.tags.map(({ name }) => name)
  for (const [path, operation] of operations) {
    expect(operation.operationId, path).toMatch(/^[a-z]\w+$/)
    expect(tags).toContain(operation.tags[0])
    expect(operation.responses, path).toHaveProperty('200')
    for (const { description } of Object.values(operation.responses)) expect(description, path).not.toBe('')
    const inPath = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
    expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(inPath)
  }
})

test('there is every call and every route, and nothing else', () => {
  const expected = [
    ...calls.map(({ path }) => path),
    ...Object.values(routes).map(({ path }) => path.replace(':secret', '{secret}').replace('*', '{path}')),
  ]
  expect(Object.keys(document.paths).sort()).toEqual(expected.sort())
  for (const { path } of calls) expect(Object.keys(document.paths[path] ?? {})).toEqual(['post'])
})

describe.each(calls.map((call) => [call.path, call] as const))('%s', (path, call) => {
  const operation = operationOf(path)
  const media = operation.requestBody?.content[json]
  const body = resolve(media?.schema.$ref ?? '') as {
    properties: Record<string, { description?: string }>
    required: string[]
  }

  test('says who may', () => {
    expect(operation['x-access']).toBe(call.access)
    expect(operation.security).toEqual(call.access === 'anyone' ? [] : [{ bearer: [] }])
    expect(operation.summary).toBe(call.summary)
  })

  test('has the fields of the contract, each with its rule in words, and takes no other', () => {
    expect(Object.keys(body.properties)).toEqual(Object.keys(call.input.shape))
    expect(body).toMatchObject({ type: 'object', additionalProperties: false })
    const texts: string[] = Object.values(ruleTexts)
    for (const [name, { description }] of Object.entries(body.properties))
      expect(texts, name).toContain(description)
  })

  test('has an example that the contract takes', () => {
    const result = call.input.safeParse(media?.example)
    expect(result.error?.issues ?? []).toEqual([])
    for (const name of body.required) expect(media?.example).toHaveProperty(name)
  })

  test('answers an envelope', () => {
    const schema = operation.responses[200]?.content?.[json]?.schema as unknown as {
      properties: { response: { required: string[]; properties: Record<string, Record<string, unknown>> } }
    }
    const { response } = schema.properties
    const { kind } = call.output
    expect(response.required).toEqual(['status', 'httpCode', 'message', 'detailedResponse'])
    expect(response.properties.status).toEqual({ const: 1 })
    expect(response.properties).not.toHaveProperty('error')
    expect('nextCursor' in response.properties).toBe(kind === 'list')
    const detailed = response.properties.detailedResponse
    expect(detailed?.maxItems).toBe({ nothing: 0, one: 1, success: 1, list: undefined }[kind])
    if (kind === 'nothing') expect(wrap(call, null).response.detailedResponse).toHaveLength(0)
    else {
      const { $ref } = (detailed?.items ?? {}) as { $ref: string }
      const { anyOf = [{ $ref }] } = resolve($ref) as { anyOf?: { $ref: string }[] }
      for (const one of anyOf) expect(resolve(one.$ref)).toHaveProperty('properties')
    }
  })

  test('tells its refusals under their HTTP codes, with the English text', () => {
    const told = Object.entries(operation.responses).flatMap(([code, { content }]) =>
      Object.entries(content?.[json]?.examples ?? {}).map(([type, example]) => ({
        code: Number(code),
        type: type as keyof typeof refusals,
        example: resolve((example as { $ref: string }).$ref) as { summary: string; value: unknown },
      })),
    )
    const types = told.map(({ type }) => type)
    expect(new Set(types).size).toBe(types.length)
    expect(types).toEqual(expect.arrayContaining([...call.refusals, 'INCOMPLETE_INFORMATION', 'INTERNAL']))
    expect(types.includes('UNAUTHENTICATED')).toBe(call.access !== 'anyone')
    expect(types.includes('ACCESS_DENIED')).toBe(['admin', 'anyAdmin'].includes(call.access))
    for (const { code, type, example } of told) {
      expect(code).toBe(refusals[type].httpCode)
      const { response } = envelope.parse(example.value)
      expect(response).toMatchObject({ status: 0, httpCode: code, error: { errorType: type } })
      expect(response.error?.errorContent[0]).toBe(example.summary)
      expect(example.summary).not.toMatch(/[{}]/)
    }
  })

  test('has the Idempotency-Key header only if it is idempotent', () => {
    expect(operation.parameters.map(({ name }) => name)).toEqual(call.idempotent ? ['Idempotency-Key'] : [])
  })
})

test('lengths and ranges are those of the limits', () => {
  const properties = (name: string) =>
    resolve(`#/components/schemas/${name}/properties`) as Record<string, object>
  expect(properties('SignInBody').password).toMatchObject({ minLength: 8, maxLength: limits.signInTextMax })
  expect(properties('SignUpBody').password).toMatchObject({ minLength: 8, maxLength: limits.textMax })
  expect(properties('NewAccountBody').accountDuration).toMatchObject({
    type: 'integer',
    minimum: 1,
    maximum: 364,
  })
  expect(properties('AddServerBody').serverPort).toMatchObject({ minimum: 1, maximum: 65_535 })
})
