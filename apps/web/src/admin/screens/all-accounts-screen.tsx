import type { AnyAccount } from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AllAccounts } from '../all-accounts/all-accounts.tsx'
import { useAddressFilter } from '../kit/address-filter.ts'
import { Screen } from '../kit/screen.tsx'
import { adminAccountPath, personPath, serverPath } from '../paths.ts'

const everything = { search: '', state: '', sort: '' }
const linkBy = (pathOf: (account: AnyAccount) => string) => (account: AnyAccount, name: ReactNode) => (
  <Link to={pathOf(account)}>{name}</Link>
)
const linkToAccount = linkBy(({ accountUUID }) => adminAccountPath(accountUUID))
const linkToOwner = linkBy(({ userEmail }) => personPath(userEmail))
const linkToServer = linkBy(({ serverUUID }) => serverPath(serverUUID))

/** What the dashboard counts by state. */
export function AllAccountsScreen() {
  const { t } = useTranslation('admin')
  const [filter, change] = useAddressFilter(everything)
  /** A field keeps what is typed to itself: whoever wants to see everything gets new ones. */
  const [clearings, setClearings] = useState(0)
  return (
    <Screen title={t('allAccounts.title')}>
      <AllAccounts
        key={clearings}
        filter={filter}
        onChange={change}
        onShowAll={() => {
          change(everything)
          setClearings(clearings + 1)
        }}
        linkToAccount={linkToAccount}
        linkToOwner={linkToOwner}
        linkToServer={linkToServer}
      />
    </Screen>
  )
}
