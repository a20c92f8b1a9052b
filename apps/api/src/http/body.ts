import { type Call, type Input, limits, Refusal } from '@kelid/contract'
import { clip, plain } from '../lib/text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** A string that is a key ends with its colon. */
const stringOrBracket = /"(?:[^"\\]|\\.)*"\s*:?|[[\]{}]/g

/**
 * Refuses JSON that parsers read differently: bad UTF-8, deep nesting, duplicate keys and minus zero. JSON.parse
 * keeps the last of two equal keys, so the keys in the text are compared with those it kept. It runs first, because
 * counting is only fast in valid text.
 */
export function parseBody(bytes: Buffer | undefined): unknown {
  const text = decode(bytes)
  const value = parse(text)
  if (countKeys(text) !== countOwnKeys(value)) throw new Refusal('BAD_REQUEST')
  return value
}

function decode(bytes: Buffer | undefined): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Refusal('BAD_REQUEST')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('BAD_REQUEST')
  }
}

function countKeys(text: string): number {
  let keys = 0
  let depth = 0
  for (const token of text.match(stringOrBracket) ?? []) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    else if (token.endsWith(':')) keys += 1
    if (depth > limits.bodyDepth) throw new Refusal('BAD_REQUEST')
  }
  return keys
}

function countOwnKeys(value: unknown): number {
  if (Object.is(value, -0)) throw new Refusal('BAD_REQUEST')
  if (typeof value !== 'object' || value === null) return 0
  const children = Object.values(value)
  return children.reduce<number>(
    (sum, child) => sum + countOwnKeys(child),
    Array.isArray(value) ? 0 : children.length,
  )
}

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
