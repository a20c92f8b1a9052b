import { getUser, resetUserPassword, type User } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { act } from '../../../calls/api.ts'
import { notify } from '../../../lib/notices.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import styles from '../../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import own from './person.module.css'
import { userReads } from './touched.ts'

/** The password exists only in this dialog and is gone when it closes. */
export function ResetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const client = useQueryClient()
  const [password, setPassword] = useState<string | null>(null)
  const { userEmail } = user
  const self = useRead(getUser, {}).data?.userEmail
  // Resetting one's own password would end the session, and with it the dialog that shows the new one.
  const isSelf = self === userEmail
  if (password !== null) return <NewPassword password={password} onClose={onClose} />
  return (
    <ActDialog
      title={t('person.password.title', { email: userEmail })}
      confirm={t('person.password.confirm')}
      kind="danger"
      isReady={self !== undefined && !isSelf}
      staysOpen
      onClose={onClose}
      onConfirm={async () => {
        // Bypasses the query cache, which would keep the password.
        setPassword((await act(resetUserPassword, { userEmail })).password)
        for (const { path } of userReads) void client.invalidateQueries({ queryKey: [path] })
      }}
    >
      {isSelf ? <Warning>{t('person.password.own')}</Warning> : <p>{t('person.password.text')}</p>}
    </ActDialog>
  )
}

function NewPassword({ password, onClose }: { password: string; onClose: () => void }) {
  const { t } = useTranslation('admin')
  async function copy() {
    const isCopied = await copyText(password)
    notify(
      t(isCopied ? 'person.password.copied' : 'person.password.notCopied'),
      isCopied ? 'success' : 'error',
    )
  }
  return (
    <Dialog title={t('person.password.told')} onClose={onClose}>
      <p className={own.secret}>
        <bdi dir="ltr">{password}</bdi>
      </p>
      <Warning>{t('person.password.once')}</Warning>
      <div className={styles.actions}>
        <Button icon={adminShapes.copy} onClick={() => void copy()}>
          {t('person.password.copy')}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t('person.password.close')}
        </Button>
      </div>
    </Dialog>
  )
}
