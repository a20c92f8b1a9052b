import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'
import { useTell } from '../host/question.ts'

interface Props {
  host: Host
  onClose: () => void
}

/** For one that was set up by hand. */
export function MarkReady({ host: { kind, uuid, name }, onClose }: Props) {
  const { t } = useTranslation('admin')
  const { setReady, stale } = kinds[kind]
  const { tell } = useTell(setReady, { refreshes: stale })
  const [reason, setReason] = useState('')
  const rule = brokenRules(setReady.call, setReady.bodyOf({ uuid, reason })).reason
  return (
    <ActDialog
      title={t('hosts.ready.title', { name })}
      confirm={t('hosts.ready.action')}
      isReady={rule === undefined}
      onClose={onClose}
      onConfirm={async () => {
        await tell({ uuid, reason })
        notify(t('hosts.ready.done', { name }), 'success')
      }}
    >
      <p>{t('hosts.ready.text')}</p>
      <ReasonField value={reason} onValue={setReason} rule={rule} />
    </ActDialog>
  )
}
