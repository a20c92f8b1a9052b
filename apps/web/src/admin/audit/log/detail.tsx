import { type AuditEntry, type Language, languageFacts } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../../lib/format.ts'
import { lookUp } from '../../../lib/look-up.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import styles from './detail.module.css'

const isMoment = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)

function formatValue(
  { value, isEnum: isOneOfFew, isFieldList: isList }: LoggedField,
  t: TFunction<'admin/audit'>,
  language: Language,
): Value {
  if (value === null || value === '') return t('auditLog.none')
  if (typeof value === 'boolean') return t(value ? 'auditLog.yes' : 'auditLog.no')
  if (typeof value === 'number') return value.toLocaleString(languageFacts[language].locale)
  if (isMoment(value)) return formatMoment(value, language)
  if (isList)
    return value
      .split(' ')
      .map((one) => lookUp(t, `auditLog.names.${one}`) || one)
      .join(t('auditLog.and'))
  return (isOneOfFew && lookUp(t, `auditLog.values.${value}`)) || value
}

function Name({ field: { name, side, part } }: { field: LoggedField }) {
  const { t } = useTranslation('admin/audit')
  const words = lookUp(t, `auditLog.names.${name}`)
  return (
    <>
      {words || <bdi dir="ltr">{name}</bdi>}
      {part?.split('.').map((one) => (
        <Fragment key={one}> {lookUp(t, `auditLog.names.${one}`) || <bdi dir="ltr">{one}</bdi>}</Fragment>
      ))}
      {side && ` (${t(`auditLog.names.${side}`)})`}
    </>
  )
}

export function AuditDetail({ detail }: { detail: AuditEntry['auditDetail'] }) {
  const { t } = useTranslation('admin/audit')
  const language = useLanguage()
  const all = loggedFields(detail)
  if (all.length === 0) return null
  return (
    <dl className={styles.detail}>
      {all.map((field) => (
        <div key={field.key}>
          <dt>
            <Name field={field} />
          </dt>
          <dd>
            <bdi>{formatValue(field, t, language)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Detail = AuditEntry['auditDetail']
type Value = Detail[string]

interface LoggedField {
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
const loggedFields = (detail: Detail): LoggedField[] =>
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
