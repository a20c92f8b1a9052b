import { getUserStatement } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Statement } from '../credit/statement/statement.tsx'
import { Screen } from '../kit/screen.tsx'
import { useLiveReads } from '../kit/use-live-reads.ts'
import { personPath } from '../paths.ts'

const calls = [getUserStatement]

export function LedgerScreen() {
  const { t } = useTranslation('admin')
  useLiveReads(calls)
  return (
    <Screen title={t('ledger.title')}>
      <Statement pathOf={personPath} />
    </Screen>
  )
}
