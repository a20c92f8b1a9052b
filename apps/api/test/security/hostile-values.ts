import type { Call } from '@kelid/contract'
import { toJSONSchema } from 'zod/v4/core'
import { common } from '../calls.ts'
import type { Body, Hostile } from './hostile-bodies.ts'

interface Field {
  type?: string
  enum?: unknown[]
  anyOf?: Field[]
  /** Of an object whose fields have names of their own, not the keys of a record. */
  properties?: Record<string, Field>
}

const numbers = ['9007199254740993', '1e400', '-1e400', '1e21', '"1"', 'true', '[1]', '""']
const texts = [
  ...['1', 'true', '["a"]', '{"a":"a"}', '"\\u0000"', '"\\ud800"', '"\\udc00a"', '"\\u202e"'],
  ...['"{\\"a\\":\\"\\ud800\\"}"', '"{\\"a\\":\\"\\u0007\\"}"'],
]
const booleans = ['1', '0', '"true"', '"false"', '""', '[]', '"yes"']

const valuesFor = (field: Field): string[] => {
  const types = new Set([field.type, ...(field.anyOf ?? []).map((one) => one.type)])
  const values = types.has('object') ? ['[]', '""', '1'] : []
  if (types.has('object') && !field.properties)
    values.push('{}', '{"trojan":10}', '{"trojan":"10","hysteria2-direct":10}')
  for (const name of Object.keys(field.properties ?? {})) values.push(`{"${name}":[]}`, `{"${name}":{}}`)
  if (types.has('integer') || types.has('number')) values.push(...numbers)
  if (types.has('integer')) values.push('1.5', '-1e-7')
  if (types.has('number')) values.push('1.005', '-1e-7')
  if (types.has('string')) values.push(...texts)
  if (types.has('boolean')) values.push(...booleans)
  return types.has('null') ? values : [...values, 'null']
}

/** Every own field of the call with each value that its type forbids, and every needed one left out. */
export function badValues(call: Call, body: Body): Hostile[] {
  const { properties = {}, required = [] } = toJSONSchema(call.input, { io: 'input' })
  const own = Object.keys(properties).filter((name) => !(name in common) && name !== 'lng')
  const refusedBy = (name: string) => call.invalid[name] ?? 'INCOMPLETE_INFORMATION'
  const replaced = own.flatMap((name) =>
    valuesFor(properties[name] as Field).map((value): Hostile => {
      const rest = JSON.stringify({ ...body, [name]: undefined }).slice(0, -1)
      return {
        name: `${name} ${value}`,
        code: 400,
        type: refusedBy(name),
        body: `${rest},"${name}":${value}}`,
      }
    }),
  )
  const leftOut = own
    .filter((name) => required.includes(name))
    .map(
      (name): Hostile => ({
        name: `no ${name}`,
        code: 400,
        type: refusedBy(name),
        body: JSON.stringify({ ...body, [name]: undefined }),
      }),
    )
  return [...replaced, ...leftOut]
}
