import { getUserStatementFile } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import type { Body } from '../../../calls/api.ts'
import { notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { saveFile } from '../../../shared/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { adminShapes } from '../../kit/shapes.ts'

export function DownloadStatement({ body }: { body: Body<typeof getUserStatementFile> }) {
  const { t } = useTranslation('admin')
  const file = useAct(getUserStatementFile)
  async function download() {
    try {
      const { fileName, csv, isComplete } = await file.mutateAsync({ body })
      saveFile(fileName, csv, 'text/csv')
      if (!isComplete) notify(t('person.statement.incomplete'), 'warning', false)
    } catch (error) {
      notifyError(t, error)
    }
  }
  return (
    <Button icon={adminShapes.download} isBusy={file.isPending} onClick={() => void download()}>
      {t('person.statement.download')}
    </Button>
  )
}
