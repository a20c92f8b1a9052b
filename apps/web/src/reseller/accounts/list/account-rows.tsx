import type { Account } from '@kelid/contract'
import { type ReactNode, useRef } from 'react'
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua'
import { AccountCard } from './account-card.tsx'
import styles from './account-list.module.css'
import { useRowWords } from './row-words.ts'
import type { Selection } from './selection.ts'

const rowHeight = 88
const rowsAhead = 30

interface Props {
  accounts: readonly Account[]
  selection: Selection
  /** The end is near: time to read on. */
  onNearEnd: () => void
  nameOf: (account: Account) => ReactNode
}

/** Only the rows in sight are in the page, however long the list is. */
export function AccountRows({ accounts, selection, onNearEnd, nameOf }: Props) {
  const words = useRowWords()
  const rows = useRef<WindowVirtualizerHandle>(null)
  const look = () => {
    if (!rows.current) return
    const { scrollOffset, viewportSize } = rows.current
    const last = rows.current.findItemIndex(scrollOffset + viewportSize)
    if (last >= accounts.length - rowsAhead) onNearEnd()
  }
  return (
    <WindowVirtualizer ref={rows} data={accounts} itemSize={rowHeight} onScroll={look}>
      {(account) => (
        <div key={account.accountUUID} className={styles.row}>
          <AccountCard account={account} words={words} selection={selection} name={nameOf(account)} />
        </div>
      )}
    </WindowVirtualizer>
  )
}
