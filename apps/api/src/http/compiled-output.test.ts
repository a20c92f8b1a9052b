import { calls, getUserAccounts, getUserDebt, wrap } from '@kelid/contract'
import { expect, test } from 'vitest'
import { type JSONSchema, toJSONSchema } from 'zod/v4/core'
import { withCompiledOutput } from './compiled-output.ts'

type Schema = JSONSchema.BaseSchema

/** A value of the schema, with fields that the schema does not name wherever there is room for one. */
function overfull(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return overfull(schema.anyOf[0] as Schema)
  const [type] = [schema.type].flat()
  if (type === 'array') return [overfull(schema.items as Schema)]
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return 1
  if (type !== 'object') return 'text'
  const keys = (schema.propertyNames as Schema | undefined)?.enum as string[] | undefined
  if (keys)
    return Object.fromEntries(keys.map((key) => [key, overfull(schema.additionalProperties as Schema)]))
  const fields = Object.entries(schema.properties ?? {})
  // An object of any names (what an entry of the audit log tells) has no name that is too many.
  if (fields.length === 0) return {}
  return {
    ...Object.fromEntries(fields.map(([name, field]) => [name, overfull(field as Schema)])),
    password_hash: '$argon2id$secret',
  }
}

const withOutput = calls.filter(({ output }) => output.kind !== 'nothing')

test.each(withOutput.map((call) => [call.path, call] as const))('%s answers the same compiled', (_, call) => {
  if (call.output.kind === 'nothing') return
  const item = overfull(toJSONSchema(call.output.item))
  const result = call.output.kind === 'list' ? { items: [item], total: 1, nextCursor: null } : item
  const plain = JSON.stringify(wrap(call, result))
  expect(JSON.stringify(wrap(withCompiledOutput(call), result))).toBe(plain)
  expect(plain).not.toContain('argon2id')
  expect(plain).not.toContain('password_hash')
})

test('our server leaves out no field, although a client does without those beyond spec.md', () => {
  const bare = { userDebt: 1 }
  expect(getUserDebt.output.item.safeParse(bare).success).toBe(true)
  expect(() => wrap(withCompiledOutput(getUserDebt), bare)).toThrow()
})

test('a value that is not of the contract does not leave', () => {
  const call = withCompiledOutput(getUserAccounts)
  expect(() => wrap(call, { items: [{ accountUUID: 1 }] })).toThrow()
  expect(() => wrap(call, { items: [null] })).toThrow()
})
