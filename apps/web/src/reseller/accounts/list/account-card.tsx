import type { Account } from '@kelid/contract'
import { memo, type ReactNode } from 'react'
import { useStorePart } from '../../../lib/store.ts'
import { When } from '../../../shared/when.tsx'
import { StateLabel } from '../state-mark.tsx'
import styles from './account-card.module.css'
import type { RowWords } from './row-words.ts'
import type { Selection } from './selection.ts'

interface Props {
  account: Account
  words: RowWords
  selection: Selection
  /** The name, as a link to the account: only the screen knows where that is. */
  name: ReactNode
}

export const AccountCard = memo(
  function AccountCard({ account, words, selection, name }: Props) {
    const { country } = account.server
    const { accountState: state, accountExpireDate: expires } = account
    return (
      <article className={styles.card} data-state={state === 'active' ? 'good' : 'bad'}>
        <Tick account={account} selection={selection} label={words.select(account.accountName)} />
        <div className={styles.who}>
          {name}
          <span className={styles.quiet}>
            {country.countryFlag && (
              <img src={country.countryFlag} alt="" width="20" height="15" loading="lazy" />
            )}
            {country.countryName && <bdi>{country.countryName}</bdi>}
            <span dir="ltr">{account.accountVPNType}</span>
          </span>
        </div>
        <div className={styles.when}>
          <StateLabel state={state} label={words.states[state]} />
          <span className={styles.quiet}>
            <When date={expires} words={words.expiry(account)} />
          </span>
        </div>
      </article>
    )
  },
  (before, after) => before.account === after.account && before.words === after.words,
)

interface TickProps {
  account: Account
  selection: Selection
  label: string
}

function Tick({ account, selection, label }: TickProps) {
  const isSelected = useStorePart(selection, (selected) => selected.has(account.accountUUID))
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        checked={isSelected}
        onChange={(event) => selection.put([account], event.target.checked)}
        aria-label={label}
      />
    </label>
  )
}
