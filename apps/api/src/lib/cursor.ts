import { patterns, Refusal } from '@kelid/contract'

export type CursorKind = 'number' | 'text' | 'uuid' | 'date'
type Part<K extends CursorKind> = K extends 'number' ? number : K extends 'date' ? Date : string

/** The sort value and identity of a page's last row, opaque to clients. */
export const toCursor = (...parts: (string | number | Date)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

export function fromCursor<const Kinds extends readonly CursorKind[]>(
  cursor: string,
  kinds: Kinds,
): { [Index in keyof Kinds]: Part<Kinds[Index]> } {
  const parts = parse(cursor)
  const fits =
    Array.isArray(parts) &&
    parts.length === kinds.length &&
    kinds.every((kind, index) => accepts[kind](parts[index]))
  if (!fits) throw new Refusal('INCOMPLETE_INFORMATION', {}, { cursor: 'cursor' })
  return parts.map((part, index) => (kinds[index] === 'date' ? new Date(part) : part)) as never
}

const isText = (part: unknown): part is string => typeof part === 'string'
const accepts: Record<CursorKind, (part: unknown) => boolean> = {
  number: Number.isSafeInteger,
  text: (part) => isText(part) && patterns.plainText.test(part),
  uuid: (part) => isText(part) && patterns.uuid.test(part),
  date: (part) => isText(part) && /^\d{4}-\d\d-\d\dT/.test(part) && !Number.isNaN(Date.parse(part)),
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
