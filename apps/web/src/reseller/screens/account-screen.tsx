import { RefusedByServer } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading/loading.tsx'
import styles from '../../ui/screen.module.css'
import { AccountDetail } from '../accounts/detail/account-detail.tsx'
import { useAccount } from '../accounts/detail/use-account.ts'

export function AccountScreen() {
  const { t } = useTranslation('reseller')
  const { accountUUID = '' } = useParams()
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const account = useAccount(accountUUID, { isEnabled: !isDeleting })
  const isMissing = account.error instanceof RefusedByServer && account.error.httpCode < 500
  useReadNotice(account.error, t('client.fetchingAccount'))
  return (
    <div className={styles.screen}>
      {isMissing && (
        <div className={styles.empty}>
          <h1>{t('client.fetchingAccount')}</h1>
          <p>{t('accounts.gone')}</p>
          <LinkButton to={paths.accounts}>{t('accounts.toList')}</LinkButton>
        </div>
      )}
      {account.isError && !isMissing && (
        <ReadFailed
          error={account.error}
          text={t('client.fetchingAccount')}
          onRetry={() => void account.refetch()}
        />
      )}
      {account.isPending && <Loading mode="skeleton" size="large" />}
      {account.data && !isMissing && (
        <AccountDetail
          key={accountUUID}
          account={account.data}
          onDeleting={setDeleting}
          onDeleted={() => void navigate(paths.accounts, { replace: true })}
        />
      )}
    </div>
  )
}
