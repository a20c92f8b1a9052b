import { useTranslation } from 'react-i18next'
import { explain } from '../../calls/explain.ts'
import { Warning } from '../../shared/dialogs/warning.tsx'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'

export function ReadWarning({ error }: { error: Error }) {
  const { t } = useTranslation('admin')
  const { text } = explain(t, error)
  useReadNotice(error, text)
  return <Warning>{text}</Warning>
}
