// biome-ignore-all lint/a11y/useSemanticElements: a virtual list puts its rows in place itself, which a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: a row of a table is read, not pressed
import type { Account } from '@kelid/contract'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
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

/** A row of the table where there is room, a card where there is not: the cells are the same. */
export const AccountCard = memo(
  function AccountCard({ account, words, selection, name }: Props) {
    const { country } = account.server
    const { accountState: state, accountExpireDate: expires } = account
    return (
      <div className={styles.card} data-state={state === 'active' ? 'good' : 'bad'}>
        <div role="cell" className={styles.name}>
          <Tick account={account} selection={selection} label={words.select(account.accountName)} />
          {name}
        </div>
        <div role="cell" className={styles.state}>
          <StateLabel state={state} label={words.states[state]} />
        </div>
        <div className={styles.where}>
          <div role="cell" className={styles.country}>
            {country.countryFlag && (
              <img src={country.countryFlag} alt="" width="20" height="15" loading="lazy" />
            )}
            <bdi>{country.countryName}</bdi>
          </div>
          <div role="cell" className={styles.type}>
            <bdi dir="ltr">{account.accountVPNType}</bdi>
          </div>
        </div>
        <div role="cell" className={styles.date}>
          <time dateTime={expires}>{words.date(account)}</time>
        </div>
        <div role="cell" className={styles.days}>
          <When date={expires} words={words.expiry(account)} />
        </div>
      </div>
    )
  },
  (before, after) => before.account === after.account && before.words === after.words,
)

/** What the cells of a card are, in their order. */
export function CardHeads() {
  const { t } = useTranslation('reseller')
  return (
    <div role="row" className={styles.heads}>
      <span role="columnheader">{t('accounts.name')}</span>
      <span role="columnheader">{t('accounts.filter')}</span>
      <span role="columnheader">{t('accounts.country')}</span>
      <span role="columnheader">{t('accounts.vpnType')}</span>
      <span role="columnheader">{t('accounts.expiry')}</span>
      <span role="columnheader">{t('accounts.renew.days')}</span>
    </div>
  )
}

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
