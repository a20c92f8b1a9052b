import { useTranslation } from 'react-i18next'
import { useCounted } from '../../../lib/use-counted.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'

/** What the links of a host's accounts contain changes. */
export function LinksStop({ accounts = 0 }: { accounts: number | undefined }) {
  const { t } = useTranslation('admin')
  const counted = useCounted()
  if (accounts === 0) return null
  return <Warning>{t('hosts.linksStop', counted(accounts))}</Warning>
}
