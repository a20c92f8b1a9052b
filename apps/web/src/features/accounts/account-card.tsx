import type { Account } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatFromNow } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { StateMark } from '../../ui/state-mark.tsx'
import styles from './account-card.module.css'

interface Props {
  account: Account
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  /** The name, as a link to the account: only the screen knows where that is. */
  name: ReactNode
}

export function AccountCard({ account, isSelected, onSelect, name }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { country } = account.server
  return (
    <article className={styles.card} data-state={account.accountState === 'active' ? 'good' : 'bad'}>
      <input
        type="checkbox"
        checked={isSelected}
        onChange={(event) => onSelect(event.target.checked)}
        aria-label={t('accounts.select', { name: account.accountName })}
      />
      <div className={styles.who}>
        {name}
        <span className={styles.quiet}>
          {country.countryFlag && <img src={country.countryFlag} alt="" width="20" height="15" loading="lazy" />}
          {country.countryName} <span dir="ltr">{account.accountVPNType}</span>
        </span>
      </div>
      <div className={styles.when}>
        <StateMark state={account.accountState} />
        <time className={styles.quiet} dateTime={account.accountExpireDate} title={formatDate(account.accountExpireDate, language)}>
          {formatFromNow(account.accountExpireDate, language)}
        </time>
      </div>
    </article>
  )
}
