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

export function Provision({ host: { kind, uuid, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { provision, stale } = kinds[kind]
  const { tell } = useTell(provision, { refreshes: stale })
  return (
    <ActDialog
      title={t('hosts.provision.title', { name })}
      confirm={t('hosts.provision.action')}
      onClose={onClose}
      onConfirm={async () => {
        await tell({ uuid })
        notify(t('hosts.provision.done', { name }), 'success')
      }}
    >
      <p>{t('hosts.provision.text')}</p>
    </ActDialog>
  )
}
