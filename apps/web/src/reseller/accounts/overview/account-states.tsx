import { type AccountState, accountStates, getUserAccounts } from '@kelid/contract'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { Loading } from '../../../ui/loading/loading.tsx'
import { StateMark } from '../state-mark.tsx'
import { stateOf } from '../state-text.ts'
import styles from './account-states.module.css'

/** Only the count matters, so the limit is 1. */
const useCount = (state: AccountState) => useRead(getUserAccounts, { state, limit: 1, withLinks: false })

interface Props {
  linkOf: (state: AccountState, mark: ReactNode) => ReactNode
}

export function AccountStates({ linkOf }: Props) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const counted = useCounted()
  const reads = {
    active: useCount('active'),
    limited: useCount('limited'),
    disabled: useCount('disabled'),
    expired: useCount('expired'),
    abused: useCount('abused'),
  } satisfies Record<AccountState, unknown>
  const all = accountStates.map((state) => reads[state])
  const error = all.find((read) => read.error)?.error ?? null
  useReadNotice(error, t('client.fetchingAccounts'))
  if (all.some((read) => read.isError && !read.data))
    return (
      <ReadFailed
        error={error}
        text={t('client.fetchingAccounts')}
        onRetry={() => all.forEach((read) => void read.refetch())}
      />
    )
  if (all.some((read) => read.isPending)) return <Loading mode="skeleton" size="small" />

  const countOf = (state: AccountState) => {
    const { items = [], total } = reads[state].data ?? {}
    // A server without counts sends all accounts of any state.
    return total ?? items.filter((account) => stateOf(account) === state).length
  }
  const total = accountStates.reduce((sum, state) => sum + countOf(state), 0)
  if (total === 0) return <p className={styles.none}>{t('overview.noAccounts')}</p>
  return (
    <table className={styles.chart}>
      <caption>{t('overview.accountCount', counted(total))}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('overview.state')}</th>
          <th scope="col">{t('overview.share')}</th>
          <th scope="col">{t('overview.accounts')}</th>
        </tr>
      </thead>
      <tbody>
        {accountStates.map((state) => {
          const share = countOf(state) / total
          return (
            <tr key={state}>
              <th scope="row">{linkOf(state, <StateMark state={state} />)}</th>
              <td className={styles.bar} data-state={state} style={{ '--share': share } as CSSProperties}>
                <span className="visually-hidden">{formatPercent(share, language)}</span>
              </td>
              <td className={styles.count}>{formatNumber(countOf(state), language)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
