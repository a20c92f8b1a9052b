import type { Account } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { SpeedForm } from './speed-form.tsx'
import styles from './speed-panel.module.css'

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
          <SpeedForm account={account} onClose={() => setChanging(false)} />
        </Dialog>
      )}
    </div>
  )
}
