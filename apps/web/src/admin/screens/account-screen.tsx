import { getAnyAccount } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { useRead } from '../../shared/reads/query.ts'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { Loading } from '../../ui/loading/loading.tsx'
import { AccountPage } from '../accounts/one/account-page.tsx'
import { isMissing, Missing } from '../kit/missing.tsx'
import { Screen } from '../kit/screen.tsx'
import { useLiveReads } from '../kit/use-live-reads.ts'
import { adminPaths, personPath, serverPath, tunnelPath } from '../paths.ts'

const calls = [getAnyAccount]
const paths = { person: personPath, server: serverPath, tunnel: tunnelPath }

export function AccountScreen() {
  const { accountUUID = '' } = useParams()
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const { data: account, isPending, error, refetch } = useRead(getAnyAccount, { accountUUID })
  useLiveReads(calls)
  useReadNotice(error, t('adminAccounts.failedOne'))
  const visibleAccount = isMissing(error) ? undefined : account
  return (
    <Screen title={account ? <bdi>{account.accountName}</bdi> : t('adminAccounts.one')}>
      {isPending && <Loading mode="skeleton" />}
      {error && !visibleAccount && (
        <Missing
          error={error}
          missingText={t('adminAccounts.gone')}
          failed={t('adminAccounts.failedOne')}
          onRetry={() => void refetch()}
          to={adminPaths.accounts}
          toLabel={t('allAccounts.title')}
        />
      )}
      {visibleAccount && (
        <AccountPage
          key={accountUUID}
          account={visibleAccount}
          paths={paths}
          onDeleted={() => void navigate(personPath(visibleAccount.userEmail), { replace: true })}
        />
      )}
    </Screen>
  )
}
