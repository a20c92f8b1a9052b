import { acceptHostKey } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Latin } from '../../kit/latin.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'

interface Props {
  host: Host
  fingerprint: string
  onClose: () => void
}

/** Warns first, because the next host key is trusted without a check. */
export function AcceptKey({ host: { kind, uuid, name }, fingerprint, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { mutateAsync } = useAct(acceptHostKey, { refreshes: kinds[kind].stale })
  return (
    <ActDialog
      title={t('hostKey.acceptTitle', { name })}
      confirm={t('hostKey.action')}
      kind="danger"
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync({ body: { hostUUID: uuid, basedOn: { hostKeyFingerprint: fingerprint } } })
        notify(t('hostKey.done', { name }), 'success')
      }}
    >
      <Warning>{t('hostKey.text')}</Warning>
      <p>
        {t('hostKey.fingerprint')}: <Latin>{fingerprint}</Latin>
      </p>
      <p>{t('hostKey.next')}</p>
    </ActDialog>
  )
}
