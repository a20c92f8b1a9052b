import type { Account } from '@kelid/contract'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyScreen } from '../../../lib/lazy-screen.tsx'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'

const RenewForm = lazyScreen(async () => (await import('../purchase/renew-form.tsx')).RenewForm)

/** Opens at once, because the form may still have to load. */
export function RenewDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('reseller')
  return (
    <Dialog title={t('accounts.renew.title', { name: account.accountName })} onClose={onClose}>
      <Suspense fallback={<Loading />}>
        <RenewForm account={account} onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
