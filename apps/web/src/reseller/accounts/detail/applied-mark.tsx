import type { AccountApplied } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { shapes } from '../../../shared/shapes.ts'
import { Icon, type Shape } from '../../../ui/icon.tsx'
import styles from './account-status.module.css'

const icons: Record<AccountApplied, Shape> = {
  applied: shapes.check,
  waiting: shapes.clock,
  unreported: shapes.offline,
}

/** Shows only what the node has confirmed. */
export function AppliedMark({ applied }: { applied: AccountApplied }) {
  const { t } = useTranslation('reseller')
  return (
    <span className={styles.applied} data-applied={applied}>
      <Icon shape={icons[applied]} size={16} />
      {t(`accounts.applied.${applied}`)}
    </span>
  )
}
