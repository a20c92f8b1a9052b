import { type Call, type Input, Refusal } from '@kelid/contract'
import { clip, plain } from '../lib/text.ts'

export function parseInput<C extends Call>(call: C, body: unknown): Input<C> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal('BAD_REQUEST')
  const result = call.input.safeParse(body)
  if (result.success) return result.data as Input<C>
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys') throw unknownField([...issue.path, ...issue.keys.slice(0, 1)])
    fields[issue.path.join('.') || 'body'] ??= issue.message
  }
  const [first = ''] = Object.keys(fields)
  throw new Refusal(call.invalid[first] ?? 'INCOMPLETE_INFORMATION', {}, fields)
}

const unknownField = (path: readonly PropertyKey[]) =>
  new Refusal('UNKNOWN_FIELD', { field: clip(plain(path.map(String).join('.')), 80) })
