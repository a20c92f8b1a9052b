import { useTranslation } from 'react-i18next'
import type { Refused } from './bulk.ts'
import styles from './bulk-dialog.module.css'

export function AccountProblems({ items }: { items: readonly Refused[] }) {
  const { t } = useTranslation('reseller')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <ul className={styles.failures} tabIndex={0}>
      {items.map(({ account, refusal }) => (
        <li key={account.accountUUID}>
          <bdi>{account.accountName}</bdi>
          <span>{t(`accounts.quote.refused.${refusal}`)}</span>
        </li>
      ))}
    </ul>
  )
}
