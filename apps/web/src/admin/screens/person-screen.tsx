import { getUserDetail } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useRead } from '../../shared/reads/query.ts'
import { Loading } from '../../ui/loading/loading.tsx'
import { AccountsOf } from '../accounts/list/accounts-of.tsx'
import { Balances } from '../credit/money/balances.tsx'
import { Statement } from '../credit/statement/statement.tsx'
import { Missing } from '../kit/missing.tsx'
import { Screen } from '../kit/screen.tsx'
import { adminAccountPath, adminPaths } from '../paths.ts'
import { About } from '../users/person/about.tsx'
import { Sessions } from '../users/person/sessions.tsx'

/** Everything there is to one user. */
export function PersonScreen() {
  const { userEmail = '' } = useParams()
  return <Person key={userEmail} userEmail={userEmail} />
}

function Person({ userEmail }: { userEmail: string }) {
  const { t } = useTranslation('admin')
  const { data: user, isPending, error, refetch } = useRead(getUserDetail, { userEmail })
  return (
    <Screen title={<bdi dir="ltr">{userEmail}</bdi>}>
      {isPending && <Loading mode="skeleton" size="large" />}
      {error && !user && (
        <Missing
          error={error}
          gone={t('person.gone')}
          failed={t('person.failed')}
          onRetry={() => void refetch()}
          to={adminPaths.people}
          toLabel={t('person.toAll')}
        />
      )}
      {user && (
        <>
          <Balances user={user} />
          <About user={user} />
          <AccountsOf user={user} pathOf={adminAccountPath} />
          <Sessions userEmail={user.userEmail} />
          <Statement userEmail={user.userEmail} />
        </>
      )}
    </Screen>
  )
}
