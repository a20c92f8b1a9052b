import type { Account } from '@kelid/contract'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { lazyScreen } from '../../../lib/lazy-screen.tsx'
import { useLanguage } from '../../../lib/use-language.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import styles from './speed-panel.module.css'

const SpeedForm = lazyScreen(async () => (await import('./form/speed-form.tsx')).SpeedForm)

export function SpeedPanel({ account }: { account: Account }) {
  const { t } = useTranslation('reseller/accounts/speed')
  const language = useLanguage()
  const [isChanging, setChanging] = useState(false)
  const { accountName: name, accountSpeedLimit: limit } = account
  return (
    <div className={styles.panel}>
      <h2>{t('speedLimit.title')}</h2>
      <p>{limit ? t('speedLimit.text', { speed: formatNumber(limit, language) }) : t('speedLimit.none')}</p>
      <div>
        <Button onClick={() => setChanging(true)}>{t('speedLimit.change')}</Button>
      </div>
      {isChanging && (
        <Dialog title={t('speedLimit.dialog', { name })} onClose={() => setChanging(false)}>
          <Suspense fallback={<Loading />}>
            <SpeedForm account={account} onClose={() => setChanging(false)} />
          </Suspense>
        </Dialog>
      )}
    </div>
  )
}
