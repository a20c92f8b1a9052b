import { type Account, getUserAccounts, gigabyte, limits } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { formatBytes, isolated } from '../../../shared/format-bytes.ts'
import { useRead } from '../../../shared/reads/query.ts'
import styles from './expiring-soon.module.css'

/** A server without this filter sends all accounts. */
const isLow = ({ accountDataLimit: limit, accountDataUsed: used = 0 }: Account): boolean =>
  typeof limit === 'number' && used >= limit * gigabyte * limits.lowDataShare

interface Props {
  nameOf: (account: Account) => ReactNode
  moreOf: (text: string) => ReactNode
}

/** Accounts that end by their data rather than by their days. Nothing if there are none. */
export function RunningLow({ nameOf, moreOf }: Props) {
  const { t } = useTranslation('reseller/accounts/overview')
  const language = useLanguage()
  const counted = useCounted()
  const accounts = useRead(getUserAccounts, { state: 'lowData', limit: 5, withLinks: false })
  const low = (accounts.data?.items ?? []).filter(isLow)
  if (low.length === 0) return null
  const leftOf = ({ accountDataLimit: limit, accountDataUsed: used = 0 }: Account) =>
    isolated(formatBytes(Math.max(0, (limit ?? 0) * gigabyte - used), language))
  return (
    <>
      <p className={styles.none}>{moreOf(t('low.count', counted(accounts.data?.total ?? low.length)))}</p>
      <ul>
        {low.map((account) => (
          <li key={account.accountUUID} className={styles.row}>
            <span className={styles.name}>{nameOf(account)}</span>
            <span className={styles.when}>{t('low.left', { left: leftOf(account) })}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
