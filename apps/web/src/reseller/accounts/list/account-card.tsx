// biome-ignore-all lint/a11y/useSemanticElements: a virtual list puts its rows in place itself, which a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: a row of a table is read, not pressed
import type { Account } from '@kelid/contract'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStorePart } from '../../../lib/store.ts'
import { When } from '../../../shared/when.tsx'
import { StateLabel } from '../state-mark.tsx'
import { stateOf } from '../state-text.ts'
import styles from './account-card.module.css'
import type { RowWords } from './row-words.ts'
import type { Selection } from './selection.ts'

interface Props {
  account: Account
  words: RowWords
  selection: Selection
  name: ReactNode
}

export const AccountCard = memo(
  function AccountCard({ account, words, selection, name }: Props) {
    const { country } = account.server
    const state = stateOf(account)
    const expires = account.accountExpireDate
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
        <div role="cell" className={styles.days}>
          <time dateTime={expires}>{words.date(account)}</time>{' '}
          <When date={expires} words={words.expiry(account)} />
        </div>
        {account.usageTotal && (
          <div role="cell" className={styles.usage}>
            <span>{words.used(account)}</span> <LastSeen account={account} words={words} />
          </div>
        )}
      </div>
    )
  },
  (before, after) => before.account === after.account && before.words === after.words,
)

function LastSeen({ account, words }: Pick<Props, 'account' | 'words'>) {
  if (account.accountOnline) return <span className={styles.online}>{words.online}</span>
  const lastSeenDate = account.accountLastSeenDate
  return <span>{lastSeenDate ? <When date={lastSeenDate} sentence={words.lastSeen} /> : words.never}</span>
}

export function CardHeads({ hasUsage }: { hasUsage: boolean }) {
  const { t } = useTranslation('reseller')
  return (
    <div role="row" className={styles.heads}>
      <span role="columnheader">{t('accounts.name')}</span>
      <span role="columnheader">{t('accounts.filter')}</span>
      <span role="columnheader">{t('accounts.country')}</span>
      <span role="columnheader">{t('accounts.vpnType')}</span>
      <span role="columnheader">{t('accounts.expiry')}</span>
      {hasUsage && <span role="columnheader">{t('accounts.usage.title')}</span>}
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
