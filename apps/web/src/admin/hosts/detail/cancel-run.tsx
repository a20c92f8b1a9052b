import { cancelHostRun } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'

interface Props {
  host: Host
  onClose: () => void
}

export function CancelRun({ host: { kind, uuid, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { mutateAsync } = useAct(cancelHostRun, { refreshes: kinds[kind].stale })
  return (
    <ActDialog
      title={t('hosts.cancel.title', { name })}
      confirm={t('hosts.cancel.action')}
      dismiss={t('hosts.cancel.dismiss')}
      kind="danger"
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync({ body: { hostUUID: uuid } })
        notify(t('hosts.cancel.done', { name }), 'success')
      }}
    >
      <p>{t('hosts.cancel.text')}</p>
    </ActDialog>
  )
}
