import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'

interface Props {
  host: Host
  onClose: () => void
}

export function MarkReady({ host: { kind, uuid, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { setReady, target, stale } = kinds[kind]
  const { mutateAsync } = useAct(setReady, { refreshes: stale })
  const [reason, setReason] = useState('')
  const body = { ...target(uuid), reason }
  const rule = brokenRules(setReady, body).reason
  return (
    <ActDialog
      title={t('hosts.ready.title', { name })}
      confirm={t('hosts.ready.action')}
      isReady={rule === undefined}
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync({ body })
        notify(t('hosts.ready.done', { name }), 'success')
      }}
    >
      <p>{t('hosts.ready.text')}</p>
      <ReasonField value={reason} onValue={setReason} rule={rule} />
    </ActDialog>
  )
}
