import { type Account, deleteAccount, getUserAccounts } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.tsx'
import { useAct } from '../../../shared/reads/query.ts'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'
import { dropAccount } from '../account-cache.ts'

export interface Deletion {
  /** True from the press until a failure, so that a read in between does not report the account as missing. */
  onDeleting: (isDeleting: boolean) => void
  onDeleted: () => void
}

export function DeleteAccount({ account, onDeleting, onDeleted }: { account: Account } & Deletion) {
  const { t } = useTranslation('reseller')
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const remove = useAct(deleteAccount, { refreshes: [getUserAccounts] })
  const { accountUUID, accountName: name } = account
  return (
    <>
      <Button icon={shapes.trash} onClick={() => setOpen(true)}>
        {t('accounts.delete.action')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t('accounts.delete.title', { name })}
          text={t('accounts.delete.text')}
          confirmLabel={t('accounts.delete.confirm')}
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            onDeleting(true)
            await remove.mutateAsync({ body: { accountUUID } }).catch((error: unknown) => {
              onDeleting(false)
              throw error
            })
            notify(t('accounts.delete.done', { name }), 'success')
            onDeleted()
            dropAccount(client, accountUUID)
          }}
        />
      )}
    </>
  )
}
