import type { Account } from '@kelid/contract'
import styles from './bulk-dialog.module.css'

/** Each account by its name, with what is in its way. */
export const AccountProblems = ({ items }: { items: readonly { account: Account; text: string }[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
  <ul className={styles.failures} tabIndex={0}>
    {items.map(({ account, text }) => (
      <li key={account.accountUUID}>
        <bdi>{account.accountName}</bdi>
        <span>{text}</span>
      </li>
    ))}
  </ul>
)
