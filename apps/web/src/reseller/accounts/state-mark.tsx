import type { AccountState } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { shapes } from '../../shared/shapes.ts'
import { Icon, type Shape } from '../../ui/icon.tsx'
import styles from './state-mark.module.css'

const icons: Record<AccountState, Shape> = {
  active: shapes.done,
  limited: shapes.ban,
  disabled: shapes.close,
  expired: shapes.clock,
  abused: shapes.alert,
}

/** The icon and the label carry the meaning without colours. */
export const StateLabel = ({ state, label }: { state: AccountState; label: string }) => (
  <span className={styles.mark} data-state={state === 'active' ? 'good' : 'bad'}>
    <Icon shape={icons[state]} size={16} />
    {label}
  </span>
)

export function StateMark({ state }: { state: AccountState }) {
  const { t } = useTranslation('reseller')
  return <StateLabel state={state} label={t(`accounts.state.${state}`)} />
}
