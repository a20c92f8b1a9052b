import type { AccountState } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from './icon.tsx'
import styles from './state-mark.module.css'

const icons: Record<AccountState, IconName> = {
  active: 'done',
  disabled: 'close',
  expired: 'clock',
  abused: 'alert',
}

/** Colour never speaks alone: an icon and a word are beside it. */
export const StateLabel = ({ state, label }: { state: AccountState; label: string }) => (
  <span className={styles.mark} data-state={state === 'active' ? 'good' : 'bad'}>
    <Icon name={icons[state]} size={16} />
    {label}
  </span>
)

export function StateMark({ state }: { state: AccountState }) {
  const { t } = useTranslation()
  return <StateLabel state={state} label={t(`accounts.state.${state}`)} />
}
