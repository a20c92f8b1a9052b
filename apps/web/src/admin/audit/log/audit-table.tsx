import { type AuditEntry, getAudit } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { lookUp } from '../../../lib/look-up.ts'
import { When } from '../../../shared/when.tsx'
import type { Column } from '../../kit/data-table.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import { actName } from './act-name.ts'
import styles from './audit-table.module.css'
import { AuditDetail } from './detail.tsx'
import { type AuditFilter, isNarrow, toRequest } from './filter.ts'

interface Props {
  label: string
  filter: AuditFilter
  onShowAll: () => void
  linkToActor: (entry: AuditEntry, name: ReactNode) => ReactNode
  linkToSubject: (entry: AuditEntry, name: ReactNode) => ReactNode
}

export function AuditTable({ label, filter, onShowAll, linkToActor, linkToSubject }: Props) {
  const { t } = useTranslation('admin/audit')
  const translateName = (name: string) => lookUp(t, `auditLog.parts.${name}`) || <bdi dir="ltr">{name}</bdi>
  const columns: Column<AuditEntry>[] = [
    {
      title: t('auditLog.what'),
      cell: (entry) => <span className={styles.what}>{actName(t, entry.auditAction)}</span>,
      isName: true,
    },
    { title: t('auditLog.when'), cell: (entry) => <When date={entry.auditDate} /> },
    {
      title: t('auditLog.who'),
      isAddress: true,
      cell: (entry) => (
        <span className={styles.who}>
          {linkToActor(entry, translateName(entry.auditActor))}
          {entry.auditAddress !== '' && (
            <span className={styles.address}>
              <bdi dir="ltr">{entry.auditAddress}</bdi>
            </span>
          )}
        </span>
      ),
    },
    {
      title: t('auditLog.whom'),
      isAddress: true,
      cell: (entry) => (
        <span className={styles.whom}>{linkToSubject(entry, translateName(entry.auditSubject))}</span>
      ),
    },
    { title: t('auditLog.detail'), cell: (entry) => <AuditDetail detail={entry.auditDetail} /> },
  ]
  return (
    <PagedTable
      call={getAudit}
      body={toRequest(filter).body}
      label={label}
      columns={columns}
      idOf={(entry) => entry.auditId}
      failed={t('auditLog.failed')}
      empty={<p>{t('auditLog.empty')}</p>}
      isNarrow={isNarrow(filter)}
      onShowAll={onShowAll}
    />
  )
}
