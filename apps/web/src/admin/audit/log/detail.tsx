import type { AuditEntry, Language } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { lookUp } from '../../../lib/look-up.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import styles from './detail.module.css'

type Detail = AuditEntry['auditDetail']
type Value = Detail[string]

const isMoment = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)
/** Before, then after, then what else was noted. */
const order = (name: string) => ['from', 'to'].indexOf(name) + 1 || 3

function shown(value: Value, t: TFunction<'admin'>, language: Language): string {
  if (value === null || value === '') return t('auditLog.none')
  if (typeof value === 'boolean') return t(value ? 'auditLog.yes' : 'auditLog.no')
  if (typeof value === 'number')
    return Number.isInteger(value) ? formatNumber(value, language) : String(value)
  return isMoment(value) ? formatMoment(value, language) : value
}

/** What changed, and what was said of it. */
export function AuditDetail({ detail }: { detail: Detail }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const entries = Object.entries(detail).sort(([one], [other]) => order(one) - order(other))
  if (entries.length === 0) return null
  return (
    <dl className={styles.detail}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{lookUp(t, `auditLog.names.${name}`) || <bdi dir="ltr">{name}</bdi>}</dt>
          <dd>
            <bdi>{shown(value, t, language)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
