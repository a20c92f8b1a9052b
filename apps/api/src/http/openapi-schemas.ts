import * as contract from '@kelid/contract'
import { type Call, calls, ruleTexts } from '@kelid/contract'
import { $ZodType, type JSONSchema, registry, toJSONSchema } from 'zod/v4/core'
import { ruleOf } from './openapi-examples.ts'

export type Schema = JSONSchema.BaseSchema

const exportNames = Object.entries<unknown>(contract)
const exportName = (value: unknown) => exportNames.find(([, exported]) => exported === value)?.[0] ?? ''
const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

export const callName = (call: Call): string => exportName(call)
export const bodyName = (call: Call): string => `${capitalize(callName(call))}Body`
/** A reply shared by several calls has its own name in the contract; others are named after their call. */
export const replyName = (call: Call): string =>
  capitalize(call.output.kind === 'nothing' ? '' : exportName(call.output.item)) ||
  `${capitalize(callName(call))}Reply`

const uri = (name: string) => `#/components/schemas/${name}`
export const reference = (name: string): Schema => ({ $ref: uri(name) })

export function jsonSchemas(): Record<string, Schema> {
  const all = registry<{ id?: string }>()
  for (const [name, value] of exportNames)
    if (value instanceof $ZodType) all.add(value, { id: capitalize(name) })
  for (const call of calls) {
    all.add(call.input, { id: bodyName(call) })
    if (call.output.kind !== 'nothing') all.add(call.output.item, { id: replyName(call) })
  }
  const schemas = Object.entries(toJSONSchema(all, { io: 'input', uri }).schemas).map(
    ([name, { $schema: _, $id: __, ...schema }]): [string, Schema] => [name, schema],
  )
  const byName = Object.fromEntries(schemas)
  for (const call of calls) describeFields(call, byName[bodyName(call)])
  return byName
}

function describeFields(call: Call, body: Schema | undefined): void {
  for (const [name, schema] of Object.entries(body?.properties ?? {})) {
    const rule = ruleOf(call.input.shape[name])
    if (rule && typeof schema === 'object') schema.description = ruleTexts[rule]
  }
}
