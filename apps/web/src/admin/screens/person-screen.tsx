import { getAnyAccounts, getUserDetail, getUserSessions, getUserStatement } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useRead } from '../../shared/reads/query.ts'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { Loading } from '../../ui/loading/loading.tsx'
import { AccountsOf } from '../accounts/list/accounts-of.tsx'
import { Balances } from '../credit/money/balances.tsx'
import { Statement } from '../credit/statement/statement.tsx'
import { isMissing, Missing } from '../kit/missing.tsx'
import { Screen } from '../kit/screen.tsx'
import { useLiveReads } from '../kit/use-live-reads.ts'
import { adminAccountPath, adminPaths, personPath } from '../paths.ts'
import { About } from '../users/person/about.tsx'
import { Sessions } from '../users/person/sessions.tsx'

const calls = [getUserDetail, getAnyAccounts, getUserSessions, getUserStatement]

export function PersonScreen() {
  const { userEmail = '' } = useParams()
  return <Person key={userEmail} userEmail={userEmail} />
}

function Person({ userEmail }: { userEmail: string }) {
  const { t } = useTranslation('admin')
  const { data: user, isPending, error, refetch } = useRead(getUserDetail, { userEmail })
  useLiveReads(calls)
  useReadNotice(error, t('person.failed'))
  const visibleUser = isMissing(error) ? undefined : user
  return (
    <Screen title={<bdi dir="ltr">{userEmail}</bdi>}>
      {isPending && <Loading mode="skeleton" size="large" />}
      {error && !visibleUser && (
        <Missing
          error={error}
          missingText={t('person.gone')}
          failed={t('person.failed')}
          onRetry={() => void refetch()}
          to={adminPaths.people}
          toLabel={t('person.toAll')}
        />
      )}
      {visibleUser && (
        <>
          <Balances user={visibleUser} />
          <About user={visibleUser} />
          <AccountsOf user={visibleUser} pathOf={adminAccountPath} />
          <Sessions userEmail={visibleUser.userEmail} />
          <Statement userEmail={visibleUser.userEmail} pathOf={personPath} />
        </>
      )}
    </Screen>
  )
}
