import {
  type AnyAccount,
  clearAbuse,
  deleteAnyAccount,
  getAnyAccount,
  setAnyAccountEnabled,
} from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { formatDate } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { Preview } from '../../kit/preview.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import { StateOfAccount } from '../account-state.tsx'
import { accountReads } from './touched.ts'

interface Props {
  account: AnyAccount
  onClose: () => void
}

export function EnabledDialog({ account, onClose }: Props) {
  const { t } = useTranslation('admin')
  const save = useAct(setAnyAccountEnabled, { refreshes: accountReads })
  const [reason, setReason] = useState('')
  const { accountUUID, accountName: name } = account
  const { now, previous, readAgain } = useBasis(account, () => read(getAnyAccount, { accountUUID }))
  /** The dialog keeps its first value, because a later read may flip the account. */
  const [accountEnabled] = useState(!account.accountEnabled)
  const optionalReason = reason.trim() === '' ? {} : { reason: reason.trim() }
  const rule = brokenRules(setAnyAccountEnabled, { accountUUID, accountEnabled, ...optionalReason }).reason
  const verb = accountEnabled ? 'enable' : 'disable'
  const isDone = now.accountEnabled === accountEnabled
  return (
    <ActDialog
      title={t(`adminAccounts.${verb}.title`, { name })}
      confirm={t(`adminAccounts.${verb}.action`)}
      kind={accountEnabled ? 'primary' : 'danger'}
      isReady={rule === undefined && !isDone}
      onChanged={readAgain}
      onClose={onClose}
      onConfirm={async () => {
        const basedOn = now.accountEnabled
        await save.mutateAsync({ body: { accountUUID, accountEnabled, ...optionalReason, basedOn } })
        notify(t(`adminAccounts.${verb}.done`, { name }), 'success')
      }}
    >
      <p>{t(`adminAccounts.${verb}.text`)}</p>
      <ReasonField value={reason} onValue={setReason} rule={rule} hint={t('adminAccounts.reasonOptional')} />
      <Preview
        previous={previous && <StateOfAccount account={previous} />}
        now={<StateOfAccount account={now} />}
        after={isDone ? null : t(accountEnabled ? 'adminAccounts.enabled' : 'adminAccounts.states.disabled')}
      />
    </ActDialog>
  )
}

export function ClearAbuseDialog({ account, onClose }: Props) {
  const { t } = useTranslation('admin')
  const clear = useAct(clearAbuse, { refreshes: accountReads })
  const { accountUUID, accountName: name } = account
  return (
    <ActDialog
      title={t('adminAccounts.clearAbuse.title', { name })}
      confirm={t('adminAccounts.clearAbuse.action')}
      onClose={onClose}
      onConfirm={async () => {
        await clear.mutateAsync({ body: { accountUUID } })
        notify(t('adminAccounts.clearAbuse.done', { name }), 'success')
      }}
    >
      <p>{t('adminAccounts.clearAbuse.text')}</p>
    </ActDialog>
  )
}

export function DeleteDialog({ account, onClose, onDeleted }: Props & { onDeleted: () => void }) {
  const { t } = useTranslation('admin')
  // Skips getAnyAccount: the account no longer exists.
  const remove = useAct(deleteAnyAccount, { refreshes: accountReads.slice(1) })
  const [reason, setReason] = useState('')
  const language = useLanguage()
  const { accountUUID, accountName: name } = account
  const { now, previous, readAgain } = useBasis(account, () => read(getAnyAccount, { accountUUID }))
  const describe = (one: AnyAccount) => (
    <>
      <StateOfAccount account={one} /> · <bdi>{formatDate(one.accountExpireDate, language)}</bdi>
    </>
  )
  const rule = brokenRules(deleteAnyAccount, { accountUUID, reason: reason.trim() }).reason
  return (
    <ActDialog
      title={t('adminAccounts.delete.title', { name })}
      confirm={t('adminAccounts.delete.action')}
      kind="danger"
      isReady={rule === undefined}
      onChanged={readAgain}
      onClose={onClose}
      onConfirm={async () => {
        const basedOn = now.accountExpireDate
        await remove.mutateAsync({ body: { accountUUID, reason: reason.trim(), basedOn } })
        notify(t('adminAccounts.delete.done', { name }), 'success')
        onDeleted()
      }}
    >
      <p>{t('adminAccounts.delete.text')}</p>
      <ReasonField value={reason} onValue={setReason} rule={rule} />
      <Preview
        previous={previous && describe(previous)}
        now={describe(now)}
        after={t('adminAccounts.delete.after')}
      />
    </ActDialog>
  )
}
