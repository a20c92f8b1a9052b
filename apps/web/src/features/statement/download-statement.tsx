import { getStatementFile } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../lib/explain.ts'
import { notify } from '../../lib/notices.ts'
import { useAct } from '../../lib/query.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button.tsx'

export function DownloadStatement() {
  const { t } = useTranslation()
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
    <Button icon="download" isBusy={file.isPending} onClick={download}>
      {t('statement.download')}
    </Button>
  )
}
