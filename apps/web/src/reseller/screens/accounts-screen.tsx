import type { Account } from '@kelid/contract'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { accountPath, paths } from '../../lib/paths.ts'
import { shapes } from '../../shared/shapes.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from '../../ui/screen.module.css'
import { type AccountFilter, everyAccount, toFilter } from '../accounts/list/account-filter.ts'
import { AccountList } from '../accounts/list/account-list.tsx'
import { Balances } from '../credit/balances/balances.tsx'

/** The filter is in the address, so that reload, bookmarks and back restore it. */
export function AccountsScreen() {
  const { t } = useTranslation('reseller')
  const [params, setParams] = useSearchParams()
  const filter = toFilter((name) => params.get(name))
  const setFilter = (next: AccountFilter) => {
    const changed = (Object.keys(everyAccount) as (keyof AccountFilter)[]).filter(
      (name) => next[name] !== everyAccount[name],
    )
    setParams(Object.fromEntries(changed.map((name) => [name, next[name]])), { replace: true })
  }
  const nameOf = useCallback(
    ({ accountUUID, accountName }: Account) => (
      <Link to={accountPath(accountUUID)} className={styles.name} dir="auto">
        {accountName}
      </Link>
    ),
    [],
  )
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>{t('accounts.title')}</h1>
        <LinkButton kind="primary" icon={shapes.plus} to={paths.newAccount}>
          {t('accounts.create')}
        </LinkButton>
      </header>
      <Balances />
      <AccountList filter={filter} onFilter={setFilter} nameOf={nameOf} empty={<NoAccounts />} />
    </div>
  )
}

function NoAccounts() {
  const { t } = useTranslation('reseller')
  return (
    <div className={styles.empty}>
      <Icon shape={shapes.qr} size={24} />
      <h2>{t('client.noAccounts')}</h2>
      <p>{t('accounts.empty')}</p>
      <LinkButton kind="primary" icon={shapes.plus} to={paths.newAccount}>
        {t('accounts.create')}
      </LinkButton>
    </div>
  )
}
