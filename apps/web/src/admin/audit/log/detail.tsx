import { type AuditEntry, type Language, languageFacts } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../../lib/format.ts'
import { lookUp } from '../../../lib/look-up.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import styles from './detail.module.css'
import { type LoggedField, loggedFields, type Value } from './noted.ts'

const isMoment = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)

function formatValue(
  { value, isEnum: isOneOfFew, isFieldList: isList }: LoggedField,
  t: TFunction<'admin'>,
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
  const { t } = useTranslation('admin')
  const words = lookUp(t, `auditLog.names.${name}`)
  return (
    <>
      {words || <bdi dir="ltr">{name}</bdi>}
      {part && <> {lookUp(t, `auditLog.names.${part}`) || <bdi dir="ltr">{part}</bdi>}</>}
      {side && ` (${t(`auditLog.names.${side}`)})`}
    </>
  )
}

export function AuditDetail({ detail }: { detail: AuditEntry['auditDetail'] }) {
  const { t } = useTranslation('admin')
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
