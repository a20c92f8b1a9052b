import { getAuditFile } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { saveFile } from '../../../shared/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { type AuditFilter, toRequest } from './filter.ts'

export function ExportAudit({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('admin/audit')
  const file = useAct(getAuditFile)
  const { body, broken } = toRequest(filter)
  const download = () =>
    file.mutate(
      { body },
      {
        onSuccess: ({ fileName, csv, isComplete }) => {
          saveFile(fileName, csv, 'text/csv')
          if (!isComplete) notify(t('auditLog.incomplete'), 'warning', false)
        },
        onError: (error) => notifyError(t, error),
      },
    )
  return (
    <Button
      icon={adminShapes.download}
      isBusy={file.isPending}
      // The server would ignore an invalid filter and export entries that the filter excludes.
      disabled={Object.keys(broken).length > 0}
      onClick={download}
    >
      {t('auditLog.export')}
    </Button>
  )
}
