import {
  getAnyAccount,
  getAnyAccounts,
  getUserDetail,
  setUserSuspended,
  type UserDetail,
} from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { Switch } from '../../../ui/switch.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { Preview } from '../../kit/preview.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import { userReads } from './touched.ts'

export function SuspendDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { userEmail, accountsByState } = user
  const counted = useCounted()
  const basis = useBasis(user.userSuspended, async () => {
    return (await read(getUserDetail, { userEmail })).userSuspended
  })
  const save = useAct(setUserSuspended, { refreshes: [...userReads, getAnyAccounts, getAnyAccount] })
  const [reason, setReason] = useState('')
  const [closesAccounts, setClosesAccounts] = useState(false)
  /** The dialog keeps its first value, because another administrator may change the state. */
  const [userSuspended] = useState(!user.userSuspended)
  const rule = brokenRules(setUserSuspended, { userEmail, userSuspended, reason: reason.trim() }).reason
  const name = userSuspended ? 'suspend' : 'lift'
  const open = accountsByState.active
  const describe = (isSuspended: boolean) => t(isSuspended ? 'people.suspended' : 'person.inGoodStanding')
  return (
    <ActDialog
      title={t(`person.suspension.${name}Title`, { email: userEmail })}
      confirm={t(`person.suspension.${name}`)}
      kind={userSuspended ? 'danger' : 'primary'}
      isReady={rule === undefined && basis.now !== userSuspended}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        const choice = userSuspended ? { closeAccounts: closesAccounts } : {}
        const body = { userEmail, userSuspended, ...choice, reason: reason.trim(), basedOn: basis.now }
        await save.mutateAsync({ body })
        notify(t(`person.suspension.${name}Done`, { email: userEmail }), 'success')
      }}
    >
      <p>{t(`person.suspension.${name}Text`)}</p>
      {userSuspended && open > 0 && (
        <Switch
          label={t('person.suspension.closeToo', counted(open))}
          isOn={closesAccounts}
          onChange={setClosesAccounts}
        />
      )}
      {!userSuspended && user.userAccountsClosed && <p>{t('person.suspension.reopens')}</p>}
      <ReasonField value={reason} onValue={setReason} rule={rule} />
      <Preview
        previous={basis.previous === undefined ? null : describe(basis.previous)}
        now={describe(basis.now)}
        after={basis.now === userSuspended ? null : describe(userSuspended)}
      />
    </ActDialog>
  )
}
