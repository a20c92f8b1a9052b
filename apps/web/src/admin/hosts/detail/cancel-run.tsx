import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { useTell } from '../host/question.ts'

interface Props {
  host: Host
  onClose: () => void
}

export function CancelRun({ host: { kind, uuid, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { cancel, stale } = kinds[kind]
  const { tell } = useTell(cancel, { refreshes: stale })
  return (
    <ActDialog
      title={t('hosts.cancel.title', { name })}
      confirm={t('hosts.cancel.action')}
      dismiss={t('hosts.cancel.dismiss')}
      kind="danger"
      onClose={onClose}
      onConfirm={async () => {
        await tell({ uuid })
        notify(t('hosts.cancel.done', { name }), 'success')
      }}
    >
      <p>{t('hosts.cancel.text')}</p>
    </ActDialog>
  )
}
