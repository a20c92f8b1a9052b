import { getStatementFile } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { saveFile } from '../../../shared/save-file.ts'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'

export function DownloadStatement() {
  const { t } = useTranslation('reseller/credit')
  const file = useAct(getStatementFile)
  const download = () =>
    file.mutate(
      { body: {} },
      {
        onSuccess: ({ fileName, csv, isComplete }) => {
          saveFile(fileName, csv, 'text/csv')
          if (!isComplete) notify(t('statement.incomplete'), 'warning', false)
        },
        onError: (error) => notifyError(t, error),
      },
    )
  return (
    <Button icon={shapes.download} isBusy={file.isPending} onClick={download}>
      {t('statement.download')}
    </Button>
  )
}
