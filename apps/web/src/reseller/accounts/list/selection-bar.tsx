import type { Account } from '@kelid/contract'
import { memo, Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyScreen } from '../../../lib/lazy-screen.tsx'
import { useCounted } from '../../../lib/use-counted.ts'
import { shapes } from '../../../shared/shapes.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon, type Shape } from '../../../ui/icon.tsx'
import { type BulkAction, bulkActions } from './bulk-actions.ts'
import styles from './selection-bar.module.css'

const BulkDialog = lazyScreen(async () => (await import('../purchase/bulk-dialog.tsx')).BulkDialog)

const icons: Record<BulkAction, Shape> = {
  renew: shapes.renew,
  enable: shapes.check,
  disable: shapes.ban,
  delete: shapes.trash,
}

interface Props {
  selected: readonly Account[]
  onDone: (accounts: readonly Account[]) => void
  onClear: () => void
}

export function SelectionBar({ selected, onDone, onClear }: Props) {
  const [open, setOpen] = useState<{ action: BulkAction; accounts: readonly Account[] } | null>(null)
  const onAction = useCallback((action: BulkAction) => setOpen({ action, accounts: selected }), [selected])
  // A user who ticks accounts is about to open it.
  useEffect(() => void BulkDialog.preload().catch(() => {}), [])
  return (
    <>
      <Bar count={selected.length} onAction={onAction} onClear={onClear} />
      <Suspense>
        {open && (
          <BulkDialog
            action={open.action}
            accounts={open.accounts}
            onClose={(doneAccounts) => {
              setOpen(null)
              onDone(doneAccounts)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

interface BarProps {
  count: number
  onAction: (action: BulkAction) => void
  onClear: () => void
}

/** memo keeps an opening dialog from rendering it. */
const Bar = memo(function Bar({ count, onAction, onClear }: BarProps) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  return (
    <section className={styles.bar} aria-label={t('accounts.bulk.label')}>
      <p aria-live="polite">{t('accounts.selected', counted(count))}</p>
      <IconButton icon={shapes.close} label={t('accounts.clearSelection')} onClick={onClear} />
      <div className={styles.actions}>
        {bulkActions.map((action) => (
          <button key={action} type="button" className={styles.action} onClick={() => onAction(action)}>
            <Icon shape={icons[action]} size={16} />
            {t(`accounts.bulk.${action}`)}
          </button>
        ))}
      </div>
    </section>
  )
})
