import { type AnyAccount, resetData } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import { DataLimit } from '../activity.tsx'
import { accountReads } from './touched.ts'

export function ResetDataDialog({ account, onClose }: { account: AnyAccount; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const reset = useAct(resetData, { refreshes: accountReads })
  const [reason, setReason] = useState('')
  const { accountUUID, accountName: name } = account
  const body = { accountUUID, reason: reason.trim() }
  const rule = brokenRules(resetData, body).reason
  return (
    <ActDialog
      title={t('adminAccounts.resetData.title', { name })}
      confirm={t('adminAccounts.resetData.action')}
      isReady={rule === undefined}
      onClose={onClose}
      onConfirm={async () => {
        await reset.mutateAsync({ body })
        notify(t('adminAccounts.resetData.done', { name }), 'success')
      }}
    >
      <p>
        <DataLimit account={account} />
      </p>
      <p>{t('adminAccounts.resetData.text')}</p>
      <ReasonField value={reason} onValue={setReason} rule={rule} />
    </ActDialog>
  )
}
