import { type Call, patterns } from '@kelid/contract'
import fc from 'fast-check'
import { type JSONSchema, toJSONSchema } from 'zod/v4/core'
import { toCursor } from '../../src/lib/cursor.ts'

type Schema = JSONSchema.BaseSchema

/** Stands for the value that the sample body has in that field when the request is made. */
export const fromSample = Symbol('from the sample body')

/** Values that a schema takes, nearly always: the pattern, the length, the range, the choice. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one as Schema)))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'integer') return wholeIn(schema)
  if (schema.type === 'number')
    return wholeIn({ minimum: (schema.minimum ?? 0) * 100, maximum: (schema.maximum ?? 0) * 100 }).map(
      (cents) => cents / 100,
    )
  if (schema.type === 'array') return fc.array(fitting(schema.items as Schema), { maxLength: 3 })
  if (schema.type === 'object' && schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, one]) => [name, fitting(one as Schema)])
    const record: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields)
    return fc.record(record, { requiredKeys: schema.required ?? [] })
  }
  if (schema.type === 'object') {
    const keys = (schema.propertyNames as Schema).enum as string[]
    const value = fitting(schema.additionalProperties as Schema)
    return fc.record(Object.fromEntries(keys.map((key) => [key, value])))
  }
  return textFor(schema)
}

function wholeIn({ minimum = -(2 ** 53), maximum = 2 ** 53 }: Schema): fc.Arbitrary<number> {
  const [min, max] = [Math.max(minimum, -(2 ** 53)), Math.min(maximum, 2 ** 53)]
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }), fc.integer({ min, max: min + 20 }))
}

const dates = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z'),
)
const numbers = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-0, 1e300, 0.5))
const sortValues = fc.oneof({ weight: 2, arbitrary: dates }, numbers, fc.string(), fc.constant(null))
const identities = fc.oneof(fc.uuid(), numbers, fc.string())
/** As the server makes them, nearly: a sort value and an identity, or an identity alone. */
const cursors = fc
  .oneof(
    { weight: 3, arbitrary: fc.tuple(sortValues, identities) },
    fc.tuple(identities),
    fc.array(sortValues, { maxLength: 3 }),
  )
  .map((parts) => toCursor(...(parts as string[])))
const texts = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength })

function textFor({ maxLength = 50, pattern, allOf = [] }: Schema): fc.Arbitrary<string> {
  const needed = allOf.map((one) => (one as Schema).pattern ?? '')
  if (needed.includes(patterns.hasUpper.source)) return texts(20).map((text) => `aA1!${text}`)
  if (pattern === patterns.cursor.source) return fc.oneof(cursors, fc.stringMatching(patterns.cursor))
  if (pattern === undefined || pattern.includes('\\P{')) return texts(Math.min(maxLength, 60))
  return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength))
}

/** Values that a schema may or may not take: just past its edges, of another type, or simply odd. */
const odd = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(
      (schema.minimum ?? 0) - 1,
      (schema.maximum ?? 0) + 1,
      'x'.repeat((schema.maxLength ?? 0) + 1),
    ),
    fc.constantFrom(null, '', ' ', '0', '\u0000', '\u202e', '٣', "'; DROP TABLE users; --", '$(id)', '%s%n'),
    fc.jsonValue({ maxDepth: 3 }),
    fc.double(),
    texts(80),
  )

/** Bodies for a call: mostly right ones, each field now and then wrong, missing or joined by one too many. */
export function bodiesFor(call: Call): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = toJSONSchema(call.input, { io: 'input' }) as Schema
  const fields = Object.entries(properties).map(([name, value]) => {
    const schema = value as Schema
    const choice = fc.oneof(
      { weight: 12, arbitrary: fc.constant(fromSample) },
      { weight: 8, arbitrary: fitting(schema) },
      { weight: 1, arbitrary: odd(schema) },
    )
    const isLeftOut = fc.integer({ min: 0, max: required.includes(name) ? 40 : 2 }).map((die) => die === 0)
    return fc.tuple(isLeftOut, choice).map(([isOut, chosen]) => (isOut ? [] : [[name, chosen] as const]))
  })
  const extra = fc.oneof(
    { weight: 20, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(fc.string(), fc.jsonValue()).map((entry) => [entry]) },
  )
  return fc.tuple(extra, ...fields).map((entries) => Object.fromEntries(entries.flat()))
}
