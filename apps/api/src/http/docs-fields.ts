import { ruleTexts } from '@kelid/contract'
import { type Html, html, joined, nothing } from '../lib/html.ts'
import type { Schema } from './openapi-schemas.ts'

const shapeOf = (schema: Schema) => schema.$ref?.split('/').at(-1)

export const shapeLink = (name: string): Html => html`<a href="#shape-${name}">${name}</a>`

/** The names of the shapes that a schema points at, at any depth. */
export function shapesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = '$ref' in schema ? shapeOf(schema as Schema) : undefined
  return [...(own ? [own] : []), ...Object.values(schema).flatMap(shapesIn)]
}

function typeText(schema: Schema): Html {
  const shape = shapeOf(schema)
  if (shape) return shapeLink(shape)
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum)
    return joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    )
  const either = schema.anyOf ?? schema.oneOf
  if (either) {
    const kinds = either.map((one) => typeText(one as Schema))
    return joined([...new Map(kinds.map((kind) => [kind.markup, kind])).values()], ' or ')
  }
  if (schema.type === 'array') return html`list of ${typeText((schema.items ?? {}) as Schema)}`
  if (schema.type === 'object' && schema.properties) return nested(schema.properties)
  if (Array.isArray(schema.type)) return html`${schema.type.join(' or ')}`
  return html`${schema.type ?? 'anything'}`
}

const nested = (properties: NonNullable<Schema['properties']>) =>
  html`{ ${joined(
    Object.entries(properties).map(
      ([name, schema]) => html`<code>${name}</code>: ${typeText(schema as Schema)}`,
    ),
    ', ',
  )} }`

/** '' beside another kind of text, as the fields have it that spec.md sends empty. */
function kindText(schema: Schema): Html {
  const filled = schema.anyOf?.filter((one) => (one as Schema).const !== '')
  return typeText(filled?.length === 1 ? (filled[0] as Schema) : schema)
}

const optionality = (schema: Schema, isRequired: boolean) => {
  if (isRequired) return ''
  return schema.default === undefined
    ? ', may be left out'
    : `, ${JSON.stringify(schema.default)} if left out`
}

const fixedLength: readonly string[] = [
  ruleTexts.uuid,
  ruleTexts.uuidV4,
  ruleTexts.ipv4,
  ruleTexts.ipv6,
  ruleTexts.date,
  ruleTexts.smsCode,
]

/** The rule in words, with the length where the words do not tell it; a list of choices speaks for itself. */
function ruleText(schema: Schema): string {
  const { description = '' } = schema
  if (description === '' || (schema.enum && description.endsWith('on offer'))) return ''
  const length = [schema, ...((schema.anyOf ?? []) as Schema[])].find((one) => one.maxLength)?.maxLength
  const isTold = !length || fixedLength.includes(description) || description.includes(String(length))
  return `: ${description}${isTold ? '' : `, ${length} characters at most`}`
}

export function fieldList(schema: Schema, options: { leaveOut?: readonly string[] } = {}): Html {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !options.leaveOut?.includes(name))
  if (fields.length === 0) return nothing
  return html`<dl>${fields.map(([name, value]) => {
    const field = value as Schema
    const isRequired = schema.required?.includes(name) ?? false
    return html`<div><dt><code>${name}</code></dt><dd>${kindText(field)}${optionality(field, isRequired)}${ruleText(field)}</dd></div>
`
  })}</dl>`
}
