import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { ShareBar } from '../../kit/share-bar.tsx'
import type { Host } from './host.ts'
import styles from './load-bar.module.css'

export function LoadBar({
  host: { accounts, maxAccounts },
}: {
  host: Pick<Host, 'accounts' | 'maxAccounts'>
}) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const share = maxAccounts > 0 ? Math.min(accounts / maxAccounts, 1) : 1
  const isFull = accounts >= maxAccounts
  const numbers = {
    accounts: formatNumber(accounts, language),
    max: formatNumber(maxAccounts, language),
  }
  return (
    <span className={styles.load} data-full={isFull}>
      <ShareBar share={share} isAlarming={isFull} />
      <span>{t(isFull ? 'hosts.loadFull' : 'hosts.load', numbers)}</span>
    </span>
  )
}
