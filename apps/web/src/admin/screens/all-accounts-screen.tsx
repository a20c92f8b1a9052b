import { type AnyAccount, getAnyAccounts } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AllAccounts } from '../accounts/all/all-accounts.tsx'
import { useAddressFilter } from '../kit/address-filter.ts'
import { Screen } from '../kit/screen.tsx'
import { useLiveReads } from '../kit/use-live-reads.ts'
import { adminAccountPath, personPath, serverPath } from '../paths.ts'

const calls = [getAnyAccounts]
const emptyFilter = { search: '', state: '', sort: '' }
const linkBy = (pathOf: (account: AnyAccount) => string) => (account: AnyAccount, name: ReactNode) => (
  <Link to={pathOf(account)}>{name}</Link>
)
const linkToAccount = linkBy(({ accountUUID }) => adminAccountPath(accountUUID))
const linkToOwner = linkBy(({ userEmail }) => personPath(userEmail))
const linkToServer = linkBy(({ serverUUID }) => serverPath(serverUUID))

export function AllAccountsScreen() {
  const { t } = useTranslation('admin')
  const [filter, change] = useAddressFilter(emptyFilter)
  useLiveReads(calls)
  return (
    <Screen title={t('allAccounts.title')}>
      <AllAccounts
        filter={filter}
        onChange={change}
        onShowAll={() => change(emptyFilter)}
        linkToAccount={linkToAccount}
        linkToOwner={linkToOwner}
        linkToServer={linkToServer}
      />
    </Screen>
  )
}
