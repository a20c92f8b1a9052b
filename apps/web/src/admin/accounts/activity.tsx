import { type AnyAccount, gigabyte } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../lib/use-language.ts'
import { formatBytes, isolated } from '../../shared/format-bytes.ts'
import { When } from '../../shared/when.tsx'
import { Mark } from '../kit/mark.tsx'
import { adminShapes } from '../kit/shapes.ts'

export const DataUsed = ({ account: { usageTotal } }: { account: Pick<AnyAccount, 'usageTotal'> }) => (
  <bdi>{formatBytes(usageTotal.up + usageTotal.down, useLanguage())}</bdi>
)

export function LastSeen({
  account,
}: {
  account: Pick<AnyAccount, 'accountOnline' | 'accountLastSeenDate'>
}) {
  const { t } = useTranslation('admin')
  if (account.accountOnline)
    return (
      <Mark is="good" icon={adminShapes.done}>
        {t('adminAccounts.online')}
      </Mark>
    )
  const lastSeenDate = account.accountLastSeenDate
  return lastSeenDate ? <When date={lastSeenDate} /> : t('adminAccounts.never')
}

export function DataLimit({ account }: { account: AnyAccount }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { accountDataLimit: limit, accountDataUsed: used, accountDataResetDate: anew } = account
  if (limit === null) return t('adminAccounts.noLimit')
  const amounts = {
    used: isolated(formatBytes(used, language)),
    limit: isolated(formatBytes(limit * gigabyte, language)),
  }
  return (
    <>
      {t('adminAccounts.dataUsed', amounts)}
      {anew && (
        <>
          {' '}
          · <When date={anew} sentence={(when) => t('adminAccounts.dataAnew', { when })} />
        </>
      )}
    </>
  )
}
