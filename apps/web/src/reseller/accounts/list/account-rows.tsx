// biome-ignore-all lint/a11y/useSemanticElements: a virtual list puts its rows in place itself, which a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: a row of a table is read, not pressed
import type { Account } from '@kelid/contract'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua'
import { AccountCard, CardHeads } from './account-card.tsx'
import styles from './account-list.module.css'
import { useRowWords } from './row-words.ts'
import type { Selection } from './selection.ts'

const rowsAhead = 30
/** Estimates from the styles; the virtual list measures rows that differ. */
const rowHeight = () => (innerWidth >= 1040 ? 56 : 128)

interface Props {
  accounts: readonly Account[]
  total: number
  selection: Selection
  onNearEnd: () => void
  nameOf: (account: Account) => ReactNode
}

export function AccountRows({ accounts, total, selection, onNearEnd, nameOf }: Props) {
  const { t } = useTranslation('reseller')
  const words = useRowWords()
  const rows = useRef<WindowVirtualizerHandle>(null)
  const look = () => {
    if (!rows.current) return
    const { scrollOffset, viewportSize } = rows.current
    const last = rows.current.findItemIndex(scrollOffset + viewportSize)
    if (last >= accounts.length - rowsAhead) onNearEnd()
  }
  return (
    <div role="table" aria-label={t('accounts.title')} aria-rowcount={total + 1}>
      <CardHeads hasUsage={accounts[0]?.usageTotal !== undefined} />
      <WindowVirtualizer ref={rows} data={accounts} itemSize={rowHeight()} onScroll={look}>
        {(account, index) => (
          <div key={account.accountUUID} role="row" aria-rowindex={index + 2} className={styles.row}>
            <AccountCard account={account} words={words} selection={selection} name={nameOf(account)} />
          </div>
        )}
      </WindowVirtualizer>
    </div>
  )
}
