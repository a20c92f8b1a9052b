import type { AccountApplied } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './account-status.module.css'

const icons: Record<AccountApplied, IconName> = { applied: 'check', waiting: 'clock', unreported: 'offline' }

/** What the node itself has said of the last change, never what is hoped of it. */
export function AppliedMark({ applied }: { applied: AccountApplied }) {
  const { t } = useTranslation()
  return (
    <span className={styles.applied} data-applied={applied}>
      <Icon name={icons[applied]} size={16} />
      {t(`accounts.applied.${applied}`)}
    </span>
  )
}
