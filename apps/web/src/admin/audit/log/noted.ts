import type { AuditEntry } from '@kelid/contract'

type Detail = AuditEntry['auditDetail']
export type Value = Detail[string]

export interface LoggedField {
  readonly key: string
  readonly name: string
  readonly side?: 'from' | 'to'
  /** Set if the field has several values: a price by VPN type. */
  readonly part?: string
  readonly value: Value
  readonly isEnum: boolean
  readonly isFieldList: boolean
}

const ownWords = ['from', 'to', 'session', 'code', 'proof', 'kind', 'renewal', 'secondFactor', 'source']
const isSide = (name: string): name is 'from' | 'to' => name === 'from' || name === 'to'
const order = (name: string) => ['from', 'to'].indexOf(name) + 1 || 3

/** Pairs old and new values by field, even if the log has them as two objects. */
export const loggedFields = (detail: Detail): LoggedField[] =>
  Object.entries(detail)
    .sort(([one], [other]) => order(one) - order(other))
    .flatMap(([name, value]) => (isSide(name) ? fieldsIn(name, value) : [[name, value] as const]))
    .map(([key, value]) => {
      const [first = '', name, ...parts] = key.split('.')
      const hasSide = isSide(first) && name !== undefined
      return {
        key,
        name: hasSide ? name : key,
        ...(hasSide && { side: first }),
        ...(hasSide && parts.length > 0 && { part: parts.join('.') }),
        value,
        isEnum: ownWords.includes((hasSide && parts[0]) || (hasSide ? name : key)),
        isFieldList: key === 'replacedSecrets' || key === 'forgottenSecrets',
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
