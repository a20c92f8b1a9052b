import type { Account } from '@kelid/contract'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyScreen } from '../../../lib/lazy-screen.tsx'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'

const RenewChoice = lazyScreen(async () => (await import('../purchase/renew-choice.tsx')).RenewChoice)

/** Opens at once, because the form may still have to load. */
export function RenewDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('reseller')
  return (
    <Dialog title={t('accounts.renew.title', { name: account.accountName })} onClose={onClose}>
      <Suspense fallback={<Loading />}>
        <RenewChoice account={account} onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
