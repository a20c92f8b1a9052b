import { type Account, gigabyte } from '@kelid/contract'
import { type CSSProperties, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyScreen } from '../../../lib/lazy-screen.tsx'
import { useLanguage } from '../../../lib/use-language.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { formatBytes, isolated } from '../../../shared/format-bytes.ts'
import { shapes } from '../../../shared/shapes.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { stateOf } from '../state-text.ts'
import styles from './data-panel.module.css'

const AddDataForm = lazyScreen(async () => (await import('../purchase/add-data-form.tsx')).AddDataForm)

interface Props {
  account: Account
  /** In GB. */
  limit: number
}

export function DataPanel({ account, limit }: Props) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const [isAdding, setAdding] = useState(false)
  const { accountDataUsed: used = 0, accountDataResetDate: anew, accountName: name } = account
  const bytes = limit * gigabyte
  const share = Math.min(1, used / bytes)
  const text = t('accounts.data.used', {
    used: isolated(formatBytes(used, language)),
    limit: isolated(formatBytes(bytes, language)),
  })
  return (
    <div className={styles.panel}>
      <div>
        {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a <meter> in their own colours */}
        <div
          className={styles.bar}
          role="meter"
          aria-label={t('accounts.data.title')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
          aria-valuetext={text}
          style={{ '--share': share } as CSSProperties}
        />
        <p>{text}</p>
        {anew && (
          <p className={styles.quiet}>
            <When date={anew} sentence={(when) => t('accounts.data.anew', { when })} />
          </p>
        )}
      </div>
      {stateOf(account) === 'limited' && <Warning>{t('accounts.data.usedUp')}</Warning>}
      <div>
        <Button icon={shapes.plus} disabled={account.accountAbuse} onClick={() => setAdding(true)}>
          {t('accounts.data.add')}
        </Button>
      </div>
      {isAdding && (
        <Dialog title={t('accounts.data.addTitle', { name })} onClose={() => setAdding(false)}>
          <Suspense fallback={<Loading />}>
            <AddDataForm account={account} onClose={() => setAdding(false)} />
          </Suspense>
        </Dialog>
      )}
    </div>
  )
}
