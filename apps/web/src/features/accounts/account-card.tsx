import type { Account, Language } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { memo, type ReactNode } from 'react'
import { StateMark } from '../../ui/state-mark.tsx'
import styles from './account-card.module.css'
import { Expiry } from './expiry.tsx'

interface Props {
  account: Account
  /** From the list: asking for the words in every row costs more than the row. */
  t: TFunction
  language: Language
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  /** The name, as a link to the account: only the screen knows where that is. */
  name: ReactNode
}

export const AccountCard = memo(
  function AccountCard({ account, t, language, isSelected, onSelect, name }: Props) {
    const { country } = account.server
    return (
      <article className={styles.card} data-state={account.accountState === 'active' ? 'good' : 'bad'}>
        <label className={styles.tick}>
          <input
            type="checkbox"
            checked={isSelected}
            onChange={(event) => onSelect(event.target.checked)}
            aria-label={t('accounts.select', { name: account.accountName })}
          />
        </label>
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
          <StateMark state={account.accountState} />
          <Expiry account={account} t={t} language={language} className={styles.quiet} />
        </div>
      </article>
    )
  },
  (before, after) =>
    before.account === after.account &&
    before.isSelected === after.isSelected &&
    before.language === after.language,
)
