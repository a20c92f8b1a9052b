import type { AuditEntry } from '@kelid/contract'

type Detail = AuditEntry['auditDetail']
export type Value = Detail[string]

/** One thing that a line of the log has noted. */
export interface Noted {
  readonly key: string
  readonly name: string
  /** Of a field that has both: which of them. */
  readonly side?: 'from' | 'to'
  /** Which one, of a field that has several: a price by VPN type. */
  readonly part?: string
  readonly value: Value
  /** A word of the program's own, not somebody's text. */
  readonly isOneOfFew: boolean
  /** Names of fields, with spaces between them. */
  readonly isList: boolean
}

const ownWords = ['from', 'to', 'session', 'code', 'proof', 'kind', 'renewal', 'secondFactor', 'source']
const isSide = (name: string): name is 'from' | 'to' => name === 'from' || name === 'to'
/** Before, then after, then what else was noted. */
const order = (name: string) => ['from', 'to'].indexOf(name) + 1 || 3

/** Before and after field by field, also where they were noted as one object. */
export const notedOf = (detail: Detail): Noted[] =>
  Object.entries(detail)
    .sort(([one], [other]) => order(one) - order(other))
    .flatMap(([name, value]) => (isSide(name) ? fieldsIn(name, value) : [[name, value] as const]))
    .map(([key, value]) => {
      const [first = '', name, ...parts] = key.split('.')
      const isOf = isSide(first) && name !== undefined
      return {
        key,
        name: isOf ? name : key,
        ...(isOf && { side: first }),
        ...(isOf && parts.length > 0 && { part: parts.join('.') }),
        value,
        isOneOfFew: ownWords.includes((isOf && parts[0]) || (isOf ? name : key)),
        isList: key === 'replacedSecrets' || key === 'forgottenSecrets',
      }
    })

function fieldsIn(path: string, value: unknown): [string, Value][] {
  const object = typeof value === 'string' && value.startsWith('{') ? parsed(value) : value
  if (typeof object !== 'object' || object === null) return [[path, object as Value]]
  return Object.entries(object).flatMap(([name, inner]) => fieldsIn(`${path}.${name}`, inner))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
