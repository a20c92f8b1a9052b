import { type AuditEntry, getAuditSummary, type HostKind, patterns } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useRead } from '../../shared/reads/query.ts'
import { AuditFilters } from '../audit/log/audit-filters.tsx'
import { AuditTable } from '../audit/log/audit-table.tsx'
import { ExportAudit } from '../audit/log/export-audit.tsx'
import { emptyFilter } from '../audit/log/filter.ts'
import { Soundness } from '../audit/log/soundness.tsx'
import { useAddressFilter } from '../kit/address-filter.ts'
import { Screen } from '../kit/screen.tsx'
import { adminAccountPath, adminPaths, personPath, serverPath, tunnelPath } from '../paths.ts'

function pathOf(name: string, { auditAction, auditDetail }: AuditEntry): string | null {
  if (patterns.email.test(name)) return personPath(name)
  if (name === 'settings') return adminPaths.prices
  if (!patterns.uuid.test(name)) return null
  const isAbout = (kind: HostKind) => auditDetail.kind === kind || auditAction.includes(kind)
  if (isAbout('server')) return serverPath(name)
  if (isAbout('tunnel')) return tunnelPath(name)
  return 'account' in auditDetail ? adminAccountPath(name) : null
}

const linkOrText = (path: string | null, name: ReactNode) => (path ? <Link to={path}>{name}</Link> : name)
const linkToActor = (entry: AuditEntry, name: ReactNode) => linkOrText(pathOf(entry.auditActor, entry), name)
const linkToSubject = (entry: AuditEntry, name: ReactNode) =>
  linkOrText(pathOf(entry.auditSubject, entry), name)

export function AuditScreen() {
  const { t } = useTranslation('admin')
  const [filter, change] = useAddressFilter(emptyFilter)
  const summary = useRead(getAuditSummary, {})
  return (
    <Screen title={t('menu.audit')} actions={<ExportAudit filter={filter} />}>
      <Soundness notRefreshed={t('list.notRefreshed')} />
      <AuditFilters filter={filter} onChange={change} actions={summary.data?.auditActions ?? []} />
      <AuditTable
        label={t('menu.audit')}
        filter={filter}
        onShowAll={() => change(emptyFilter)}
        linkToActor={linkToActor}
        linkToSubject={linkToSubject}
      />
    </Screen>
  )
}
