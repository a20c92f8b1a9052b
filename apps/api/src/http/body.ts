import { limits, Refusal } from '@kelid/contract'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const stringOrBracket = /"(?:[^"\\]|\\.)*"\s*(:)?|[[{]|[\]}]/g

/**
 * JSON without the parts that parsers disagree on: bad UTF-8, deep nesting and duplicate keys are refused.
 * JSON.parse keeps the last of two equal keys, so the keys in the text are counted against those it kept.
 */
export function parseBody(bytes: Buffer): unknown {
  const text = decode(bytes)
  const keysInText = countKeys(text)
  let keysKept = 0
  const value: unknown = parse(text, () => {
    keysKept += 1
  })
  if (keysInText !== keysKept) throw new Refusal('BAD_REQUEST')
  return value
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Refusal('BAD_REQUEST')
  }
}

function countKeys(text: string): number {
  let keys = 0
  let depth = 0
  for (const [token, colon] of text.matchAll(stringOrBracket)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    else if (colon) keys += 1
    if (depth > limits.bodyDepth) throw new Refusal('BAD_REQUEST')
  }
  return keys
}

function parse(text: string, onKey: () => void): unknown {
  try {
    const value: unknown = JSON.parse(text)
    visit(value, onKey)
    return value
  } catch {
    throw new Refusal('BAD_REQUEST')
  }
}

function visit(value: unknown, onKey: () => void): void {
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  for (const child of Object.values(value)) {
    if (!isList) onKey()
    visit(child, onKey)
  }
}
