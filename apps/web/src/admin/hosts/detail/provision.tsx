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

export function Provision({ host: { kind, uuid, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { provision, target, stale } = kinds[kind]
  const { mutateAsync } = useAct(provision, { refreshes: stale })
  return (
    <ActDialog
      title={t('hosts.provision.title', { name })}
      confirm={t('hosts.provision.action')}
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync({ body: target(uuid) })
        notify(t('hosts.provision.done', { name }), 'success')
      }}
    >
      <p>{t('hosts.provision.text')}</p>
    </ActDialog>
  )
}
